"""A model server for the browser's tests, told over standard input what to answer next.

Prints its address as a line of JSON. A line of JSON on standard input says what the next chats answer:
``{"pieces": […], "thinking": "", "hold": […]}``, where ``hold`` names how many pieces come before each stop: it waits
there until a line ``{"go": true}`` comes or the client leaves. Each chat that ends prints ``{"ended": "said"|"gone"}``.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass, field

from modelserver import Answering, Asked, delta, model_server, openai_protocol


@dataclass
class Script:
    pieces: list[str] = field(default_factory=lambda: ["Fine [1]."])
    thinking: str = ""
    hold: list[int] = field(default_factory=list)
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))


def main() -> None:
    script = Script()

    def answer(_: Asked, answering: Answering) -> None:
        told = script
        answering.begin("text/event-stream")
        if told.thinking:
            answering.chunk(delta(reasoning_content=told.thinking))
        for index, piece in enumerate(told.pieces):
            if index in told.hold:
                while not told.go.acquire(blocking=False):
                    if answering.gone(0.05):
                        print(json.dumps({"ended": "gone"}), flush=True)
                        return
            answering.chunk(delta(content=piece))
        answering.chunk(delta(finish="stop"))
        answering.chunk(b"data: [DONE]\n\n")
        answering.end()
        print(json.dumps({"ended": "said"}), flush=True)

    with model_server(openai_protocol(answer)) as server:
        print(json.dumps({"url": server.url}), flush=True)
        for line in sys.stdin:
            told = json.loads(line)
            if told.get("go"):
                script.go.release()
            else:
                script = Script(**told)
        script.go.release(len(script.hold) or 1)


if __name__ == "__main__":
    main()
