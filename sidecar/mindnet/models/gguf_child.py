"""A GGUF file served on loopback: the program of the process that the sidecar starts for it.

It is told what to serve by one line of JSON on its standard input, prints one line of JSON on its standard output once
it answers, and ends when its input closes: with the sidecar, however that ends.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Loads the model and serves it until the input closes."""
    wanted = json.loads(sys.stdin.readline())
    try:
        import xllamacpp
    except ImportError as error:
        print(json.dumps({"fault": "library", "message": str(error)}), flush=True)
        return
    params = xllamacpp.CommonParams()
    params.model.path = wanted["file"]
    params.model_alias = {wanted["name"]}
    params.n_ctx = wanted["num_ctx"]
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [wanted["key"]]
    params.ui = False
    params.cache_ram_mib = 0
    if wanted["threads"]:
        params.cpuparams.n_threads = wanted["threads"]
        params.cpuparams_batch.n_threads = wanted["threads"]
    try:
        server = xllamacpp.Server(params)
    except (RuntimeError, ValueError, OSError) as error:
        print(json.dumps({"fault": "load", "message": str(error)}), flush=True)
        return
    print(json.dumps({"url": server.listening_address}), flush=True)
    sys.stdin.read()
    # Nothing is to be saved, and an orderly end waits for an answer that nobody reads any more.
    os._exit(0)


if __name__ == "__main__":
    main()
