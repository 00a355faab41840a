"""Links lead where a user of Obsidian expects, whatever happened in which order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindnet.vault.keys import NoteName, link_keys, name_keys, path_id
from mindnet.vault.resolve import Catalog, Resolution


def note(path: str, *, own: str | None = None, title: str | None = None, aliases: tuple[str, ...] = ()) -> NoteName:
    return NoteName(path, own, title or path.rsplit("/", 1)[-1].removesuffix(".md"), aliases, "default")


def catalog(*names: NoteName) -> Catalog:
    made = Catalog()
    made.apply(names, [])
    return made


GARDEN = catalog(
    note("Index.md"),
    note("a/Plan.md"),
    note("b/Plan.md"),
    note("b/c/Plan.md"),
    note("b/Neben.md"),
    note("a/b/Beet.md"),
    note("Küche/Grünkohl.md", own="gk-1", title="Der Kohl", aliases=("Braunkohl",)),
    note("todo.md"),
    note("x/my-todo.md"),
    note("Wissen/Boden Probe.md"),
    note("Maße.md"),
    note("Einheiten/Masse.md"),
)


@pytest.mark.parametrize(
    ("source", "target", "path", "by"),
    [
        ("Index.md", "a/Plan", "a/Plan.md", "path"),
        ("Index.md", "A/PLAN.md", "a/Plan.md", "path"),
        ("Index.md", "/a/Plan", "a/Plan.md", "path"),
        ("Index.md", "/Plan", None, None),
        ("b/Neben.md", "./Plan", "b/Plan.md", "path"),
        ("b/c/Plan.md", "../Plan.md", "b/Plan.md", "path"),
        ("b/Neben.md", "./Beet", None, None),
        ("a/Plan.md", "../../Index", None, None),
        ("Index.md", "b/Beet", "a/b/Beet.md", "name"),
        ("Index.md", "/b/Beet", None, None),
        ("Index.md", "Plan", "a/Plan.md", "name"),
        ("b/Neben.md", "Plan", "b/Plan.md", "name"),
        ("b/c/Plan.md", "Plan", "b/c/Plan.md", "name"),
        ("Index.md", "Gru\u0308nkohl", "Küche/Grünkohl.md", "name"),
        ("Index.md", "GRÜNKOHL.MD", "Küche/Grünkohl.md", "name"),
        ("Index.md", "gk-1", "Küche/Grünkohl.md", "id"),
        ("Index.md", "der kohl", "Küche/Grünkohl.md", "title"),
        ("Index.md", "braunkohl", "Küche/Grünkohl.md", "alias"),
        ("Index.md", "todo", "todo.md", "path"),
        ("Index.md", "o", None, None),
        ("Index.md", " Boden Probe ", "Wissen/Boden Probe.md", "name"),
        ("Index.md", "ssen/Boden Probe", None, None),
        ("Index.md", "Masse", "Einheiten/Masse.md", "name"),
        ("Index.md", "maße", "Maße.md", "path"),
        ("todo.md", "", "todo.md", "self"),
        ("Index.md", "Gibt es nicht", None, None),
    ],
)
def test_a_link_leads_to(source: str, target: str, path: str | None, by: str | None) -> None:
    found = GARDEN.resolve(source, target)
    assert (found.path, found.by) == (path, by)


def test_a_doubtful_name_lists_the_other_notes() -> None:
    assert GARDEN.resolve("b/Neben.md", "Plan").ambiguous == ("a/Plan.md", "b/c/Plan.md")
    assert GARDEN.resolve("Index.md", "b/Beet").ambiguous == ()


def test_a_bare_name_is_the_note_at_the_root_then_the_one_beside() -> None:
    names = catalog(note("Plan.md"), note("b/Plan.md"), note("c/d/Plan.md"))
    assert names.resolve("b/Neben.md", "Plan") == Resolution("Plan.md", "path", ("b/Plan.md", "c/d/Plan.md"))
    assert names.resolve("b/Neben.md", "./Plan") == Resolution("b/Plan.md", "path")
    without = catalog(note("b/Plan.md"), note("c/d/Plan.md"))
    assert without.resolve("c/d/Neben.md", "Plan") == Resolution("c/d/Plan.md", "name", ("b/Plan.md",))
    assert names.resolve("x/Neben.md", "Plan") == Resolution("Plan.md", "path", ("b/Plan.md", "c/d/Plan.md"))
    assert names.resolve("b/Neben.md", "/Plan") == Resolution("Plan.md", "path")


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("b/Neben.md", "Plan.md", "b/Plan.md"),
        ("b/Neben.md", "c/Plan.md", "b/c/Plan.md"),
        ("b/Neben.md", "c/../Plan.md", "b/Plan.md"),
        ("b/Neben.md", "a/Plan.md", "a/Plan.md"),
        ("b/Neben.md", "/a/Plan.md", "a/Plan.md"),
        ("b/c/Plan.md", "../Plan", "b/Plan.md"),
        ("Index.md", "../Plan", None),
        ("a/Plan.md", "Beet.md", "a/b/Beet.md"),
    ],
)
def test_a_path_that_begins_beside_the_note_leaves_no_doubt(source: str, target: str, path: str | None) -> None:
    found = GARDEN.resolve(source, target, relative=True)
    assert (found.path, found.ambiguous) == (path, ())


def test_paths_that_differ_by_case_alone_leave_no_doubt_where_they_are_spelt_out() -> None:
    both = catalog(note("Plan.md"), note("plan.md"))
    assert [both.resolve("x.md", spelt).path for spelt in ("Plan", "plan")] == ["Plan.md", "plan.md"]
    assert both.resolve("x.md", "Plan").ambiguous == ()
    assert both.resolve("x.md", "PLAN").ambiguous != ()


# ------------------------------------------------------------------ ids
def test_of_two_notes_with_one_id_the_first_in_path_order_has_it() -> None:
    doubled = catalog(note("b.md", own="same"), note("a.md", own="same"))
    assert (doubled.note_id("a.md"), doubled.note_id("b.md")) == ("same", path_id("b.md"))
    assert doubled.path_of("same") == "a.md"
    assert doubled.resolve("x.md", "same").path == "a.md"
    [fault] = doubled.duplicates()
    assert (fault.path, fault.code) == ("b.md", "duplicate_id")
    assert "a.md" in fault.message


def test_a_link_by_a_doubled_id_leads_to_the_note_that_has_it() -> None:
    doubled = catalog(note("z.md", own="same"), note("long/way/a.md", own="same"))
    assert doubled.note_id("long/way/a.md") == "same"
    assert doubled.resolve("z.md", "same").path == "long/way/a.md"


def test_an_id_that_passes_on_names_the_note_that_it_passes_to() -> None:
    doubled = catalog(note("a.md", own="same"), note("b.md", own="same", aliases=("Bee",)))
    affected = doubled.apply([], ["a.md"])
    assert affected.paths == {"b.md"}
    assert {"a", "b", "bee", "same"} <= affected.keys
    assert doubled.note_id("b.md") == "same"
    assert doubled.duplicates() == []


def test_an_id_that_moves_away_from_an_unchanged_note_touches_its_linkers() -> None:
    names = catalog(note("b.md", own="same"))
    affected = names.apply([note("b.md", own="same"), note("a.md", own="same")], [])
    assert affected.paths == {"b.md"}
    assert "b" in affected.keys


def test_no_id_may_be_the_path_id_of_another_note() -> None:
    moved = note("moved.md", own=path_id("home.md"))
    names = catalog(moved)
    assert names.note_id("moved.md") == path_id("home.md")
    affected = names.apply([note("home.md")], [])
    assert affected.paths == {"moved.md"}
    assert names.note_id("home.md") != names.note_id("moved.md")
    assert [fault.path for fault in names.duplicates()] == ["moved.md"]
    assert catalog(moved).apply([note("home.md", own="h")], []).paths == {"moved.md"}


# ------------------------------------------------------------------ what changes touch
def test_nothing_is_touched_when_no_name_changes() -> None:
    names = catalog(note("a.md", own="1"), note("b.md"))
    affected = names.apply([note("a.md", own="1")], ["never.md"])
    assert (affected.keys, affected.paths) == (frozenset(), frozenset())


def test_a_new_title_touches_old_and_new_names() -> None:
    names = catalog(note("a.md", title="Alt"))
    assert names.apply([note("a.md", title="Neu")], []).keys == {"a", "alt", "neu"}


def test_a_new_type_touches_linkers_too() -> None:
    names = catalog(note("a.md"))
    assert names.apply([NoteName("a.md", None, "a", (), "project")], []).keys == {"a"}


def test_a_missing_note_heals_and_breaks_again() -> None:
    names = catalog(note("src.md"))
    assert names.resolve("src.md", "neu").path is None
    assert link_keys("neu") & names.apply([note("tief/Neu.md")], []).keys
    assert names.resolve("src.md", "neu").path == "tief/Neu.md"
    assert link_keys("neu") & names.apply([], ["tief/Neu.md"]).keys
    assert names.resolve("src.md", "neu").path is None
    assert "tief/Neu.md" not in names
    assert len(names) == 1


# ------------------------------------------------------------------ properties
WORDS = st.sampled_from(["Plan", "plan", "Ziel", "Maße", "Masse", "ab c"])
FOLDERS = st.sampled_from(["", "a/", "b/", "a/b/", "B/"])
PATHS = st.builds(lambda folder, word: f"{folder}{word}.md", FOLDERS, WORDS)
IDS = st.sampled_from([None, "1", "2", path_id("Plan.md"), path_id("a/Ziel.md")])
NAMES = st.builds(
    NoteName, PATHS, IDS, WORDS, st.lists(WORDS, max_size=2).map(tuple), st.sampled_from(["default", "project"])
)
TARGETS = st.one_of(
    WORDS,
    PATHS,
    st.builds(lambda dots, path: dots + path, st.sampled_from(["./", "../", "/"]), PATHS),
    st.sampled_from(["1", "2"]),
)
EVENTS = st.lists(st.one_of(NAMES, PATHS), max_size=25)


def replay(events: list[NoteName | str]) -> tuple[Catalog, dict[str, NoteName]]:
    lived, state = Catalog(), dict[str, NoteName]()
    for event in events:
        if isinstance(event, str):
            lived.apply([], [event])
            state.pop(event, None)
        else:
            lived.apply([event], [])
            state[event.path] = event
    return lived, state


@given(EVENTS, st.lists(st.tuples(PATHS, TARGETS), max_size=8), st.randoms(use_true_random=False))
def test_answers_depend_on_the_state_never_on_how_it_came_about(events, questions, random) -> None:  # type: ignore[no-untyped-def]
    lived, state = replay(events)
    names = list(state.values())
    random.shuffle(names)
    fresh = catalog(*names)
    assert {path: lived.note_id(path) for path in state} == {path: fresh.note_id(path) for path in state}
    assert len({lived.note_id(path) for path in state}) == len(state)
    assert all(lived.path_of(lived.note_id(path)) == path for path in state)
    assert lived.duplicates() == fresh.duplicates()
    for source, target in questions:
        assert lived.resolve(source, target) == fresh.resolve(source, target)


@settings(max_examples=300)
@given(EVENTS, st.lists(NAMES, max_size=3), st.lists(PATHS, max_size=2), PATHS, TARGETS)
def test_every_link_that_leads_elsewhere_after_a_change_is_named(events, changed, removed, source, target) -> None:  # type: ignore[no-untyped-def]
    names, state = replay(events)

    def seen() -> tuple[str | None, str | None, str | None]:
        path = names.resolve(source, target).path
        known = names.name_of(path) if path is not None else None
        return path, names.note_id(path) if path is not None else None, known.type if known else None

    before, ids = seen(), {path: names.note_id(path) for path in state}
    affected = names.apply(changed, removed)
    if seen() != before:
        assert link_keys(target) & affected.keys
    unchanged = state.keys() - {name.path for name in changed} - set(removed)
    assert {path for path in unchanged if names.note_id(path) != ids[path]} <= affected.paths


@given(NAMES, TARGETS, PATHS)
def test_a_link_to_a_note_shares_a_key_with_it(name: NoteName, target: str, source: str) -> None:
    if catalog(name).resolve(source, target).path is not None:
        assert link_keys(target) & name_keys(name)


@pytest.mark.parametrize("seed", range(20))
def test_filling_a_catalog_gives_what_single_changes_give(seed: int) -> None:
    """Ids that two notes claim, or that are the path id of a third, included."""
    draw = random.Random(seed)
    paths = [f"{folder}{name}.md" for folder in ("", "a/", "b/") for name in ("Plan", "Beet", "Ast")]
    hints = [None, "id-1", "id-2", path_id("a/Beet.md")]
    names = [NoteName(path, draw.choice(hints), draw.choice(["T", "U"]), ("Alias",), "default") for path in paths]
    draw.shuffle(names)
    filled, applied = Catalog(), Catalog()
    filled.fill(names)
    for name in reversed(names):
        applied.apply([name], [])
    assert {path: filled.note_id(path) for path in paths} == {path: applied.note_id(path) for path in paths}
    assert filled.duplicates() == applied.duplicates()
    for target in ("Plan", "T", "Alias", "id-1", "id-2"):
        assert filled.resolve("b/Plan.md", target) == applied.resolve("b/Plan.md", target)
