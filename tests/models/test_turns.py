"""Who has the model, and when."""

from __future__ import annotations

import asyncio

from mindnet.models.turns import Turns


def test_twenty_chats_at_once_are_answered_one_after_the_other_in_their_order() -> None:
    done: list[int] = []
    at_once = 0

    async def chat(turns: Turns, number: int) -> None:
        nonlocal at_once
        async with turns.chat():
            at_once += 1
            assert at_once == 1
            await asyncio.sleep(0)
            done.append(number)
            at_once -= 1

    async def all_of_them() -> None:
        turns = Turns()
        await asyncio.gather(*(chat(turns, number) for number in range(20)))
        assert turns.waiting == 0

    asyncio.run(all_of_them())
    assert done == list(range(20))


def test_who_came_first_goes_first_however_long_its_search_took_and_with_each_of_its_calls() -> None:
    async def scene() -> list[str]:
        turns, done = Turns(), []
        may_end = asyncio.Event()

        async def chat(name: str, place: int, wait: asyncio.Event | None = None) -> None:
            for call in ("asks", "answers"):
                async with turns.chat(place):
                    if wait:
                        await wait.wait()
                    done.append(f"{name} {call}")

        places = [turns.place() for _ in range(4)]
        chats = [asyncio.create_task(chat("0", places[0], may_end))]
        for number in (3, 1, 2):
            await asyncio.sleep(0)
            chats.append(asyncio.create_task(chat(str(number), places[number])))
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.wait(chats)
        return done

    done = asyncio.run(scene())
    for call in ("asks", "answers"):
        assert [one for one in done if call in one] == [f"{number} {call}" for number in range(4)]
    # Who asks again is no newcomer: the last one to come has to wait for all of that.
    assert done.index("2 answers") < done.index("3 answers")
    assert done.index("0 answers") < done.index("3 asks")


def test_one_that_is_stopped_in_the_moment_it_is_called_holds_up_nobody() -> None:
    async def scene() -> list[str]:
        turns, done = Turns(), []

        async def chat(name: str) -> None:
            async with turns.chat():
                done.append(name)

        first = turns.chat()
        await first.__aenter__()
        second, third = asyncio.create_task(chat("second")), asyncio.create_task(chat("third"))
        await asyncio.sleep(0)
        await first.__aexit__(None, None, None)
        second.cancel()
        async with asyncio.timeout(5):
            await asyncio.wait([second, third])
        assert turns.waiting == 0
        return done

    assert asyncio.run(scene()) == ["third"]


def test_a_chat_that_is_stopped_while_it_waits_lets_the_next_one_go() -> None:
    async def scene() -> list[str]:
        turns, done = Turns(), []
        first_may_end = asyncio.Event()

        async def chat(name: str, wait: asyncio.Event | None = None) -> None:
            async with turns.chat():
                if wait:
                    await wait.wait()
                done.append(name)

        first = asyncio.create_task(chat("first", first_may_end))
        second = asyncio.create_task(chat("second"))
        third = asyncio.create_task(chat("third"))
        await asyncio.sleep(0)
        second.cancel()
        first_may_end.set()
        await asyncio.wait([first, second, third])
        return done

    assert asyncio.run(scene()) == ["first", "third"]


def test_a_chat_does_not_wait_for_work_in_the_background_which_is_done_again() -> None:
    async def scene() -> list[str]:
        turns, seen = Turns(), []
        begun = asyncio.Event()

        async def judge() -> str:
            seen.append("begun")
            begun.set()
            if seen.count("begun") == 1:
                await asyncio.Event().wait()  # a call that would take for ever
            return "judged"

        work = asyncio.create_task(turns.background(judge))
        await begun.wait()
        async with asyncio.timeout(5), turns.chat():
            seen.append("chat")
        seen.append(await work)
        return seen

    assert asyncio.run(scene()) == ["begun", "chat", "begun", "judged"]


def test_work_in_the_background_waits_for_every_chat_and_gives_its_own_fault() -> None:
    async def scene() -> list[str]:
        turns, seen = Turns(), []
        may_end = asyncio.Event()

        async def judge() -> str:
            seen.append("judge")
            raise ValueError("a fault")

        async def chat() -> None:
            async with turns.chat():
                await may_end.wait()
                seen.append("chat")

        chats = [asyncio.create_task(chat()) for _ in range(2)]
        await asyncio.sleep(0)
        work = asyncio.create_task(turns.background(judge))
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.wait([work, *chats])
        assert isinstance(work.exception(), ValueError)
        return seen

    assert asyncio.run(scene()) == ["chat", "chat", "judge"]
