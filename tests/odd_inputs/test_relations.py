"""Relations in quotes, callouts, lists, cells and brackets: each takes its own links and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from reading import read_vault

NOTES = {f"{name}.md": f"# {name}\n" for name in ("Boden", "Humus", "Lehm", "Sand")} | {"Feld/Acker eins.md": "# A\n"}
B, H, L, S, A = "Boden.md", "Humus.md", "Lehm.md", "Sand.md", "Feld/Acker eins.md"
Links = set[tuple[str, str]]


def relations(folder: Path, text: str) -> tuple[Links, Links]:
    """Typed relations of a note with this text, and what it merely mentions."""
    found = read_vault(folder, {"Note.md": text, **NOTES})
    return found.relations("Note.md"), {link for link in found.links("Note.md") if link[0] == "references"}


# ------------------------------------------------------------------ fields, rel lines and brackets
@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("uses:: [[Boden]]", {("uses", B)}),
        ("> uses:: [[Boden]]", {("uses", B)}),
        ("> > uses:: [[Boden]], [[Humus]]", {("uses", B), ("uses", H)}),
        ("> [!info]\n> uses:: [[Boden]]", {("uses", B)}),
        ("> [!info] uses:: [[Boden]]", {("uses", B)}),
        ("- uses:: [[Boden]], auch [[Humus]]", {("uses", B), ("uses", H)}),
        ("  - [ ] uses:: [[Boden]]", {("uses", B)}),
        ("1. uses:: [[Boden]]", {("uses", B)}),
        ("- > uses:: [[Boden]]", {("uses", B)}),
        ("| a |\n|---|\n| uses:: [[Boden]] |", {("uses", B)}),
        ("**uses**:: [[Boden]]", {("uses", B)}),
        ("_Teil von_:: [[Feld/Acker eins]]", {("part_of", A)}),
        ("Text\nuses:: [[Boden]]\nText [[Humus]]", {("uses", B)}),
        ("(uses:: [[Boden]]) und [[Humus]]", {("uses", B)}),
        ("Text [uses:: [[Boden]]] und [[Humus]]", {("uses", B)}),
        ("- [ ] Aufgabe (uses:: [[Boden]]) [[Humus]]", {("uses", B)}),
        ("> Text (uses:: [[Boden]], [[Lehm]]) [[Humus]]", {("uses", B), ("uses", L)}),
        ("| a | b |\n|---|---|\n| (uses:: [[Boden\\|b]]) [[Humus]] | [[Lehm]] |", {("uses", B)}),
        ("(uses:: [[Boden]]) (blocks:: [[Lehm]])", {("uses", B), ("blocks", L)}),
        ("(uses:: [b](Boden.md)) [[Humus]]", {("uses", B)}),
        ("rel: uses [[Boden]] [[Lehm]], aber [[Humus]]", {("uses", B), ("uses", L)}),
        ("Im Satz rel: uses [[Boden]], aber [[Humus]]", {("uses", B)}),
        ("> rel: uses [[Boden]]", {("uses", B)}),
        ("- rel: uses [[Boden]]\n- [[Humus]]", {("uses", B)}),
        ("> [!info]\n> rel: uses [[Boden]]\n> [[Humus]]", {("uses", B)}),
        ("[[rel:uses Boden]] [[Humus]]", {("uses", B)}),
        ("> - [[rel:uses|Boden]] [[Humus]]", {("uses", B)}),
        ("## rel: uses [[Boden]]\n[[Humus]]", {("uses", B)}),
        ("[[rel:ähnelt Boden]] [[rel:USES Lehm]]", {("similar_to", B), ("uses", L)}),
        ("autor:: [[Boden]]", set()),
        ("Um 12::30 [[Boden]]", set()),
        ("uses: [[Boden]]", set()),
        ("uses : : [[Boden]]", set()),
        ("std::uses [[Boden]]", set()),
        ("barrel: uses [[Boden]]", set()),
    ],
)
def test_a_relation_takes_its_own_links(tmp_path: Path, text: str, typed: Links) -> None:
    found, mentions = relations(tmp_path, text)
    assert found == typed
    assert {target for _, target in mentions} >= {target for _, target in typed}
    assert ("references", H) in mentions or "Humus" not in text


# ------------------------------------------------------------------ edge callouts
@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("> [!edge] uses: [[Boden]] [[Lehm|l]]\n> part_of: [[Feld/Acker eins]]",
         {("uses", B), ("uses", L), ("part_of", A)}),
        ("> [!edge]\n> uses: [[Boden]]\n> [[Lehm]]", {("uses", B), ("uses", L)}),
        ("> [!EDGE]- uses: [[Boden]]", {("uses", B)}),
        ("> [!Edge]+ Titel\n> uses:: [[Boden]]", {("uses", B)}),
        (">[!edge]\n>uses: [[Boden]]", {("uses", B)}),
        ("> [!edge|breit] uses: [[Boden]]", {("uses", B)}),
        ("> [!note]- Zu\n>> [!edge]+ uses: [[Boden]]\n>\n> [[Humus]]", {("uses", B)}),
        ("> [!note]\n> > [!info]\n> > > [!edge] uses: [[Boden]]\n>\n> uses: [[Humus]]", {("uses", B)}),
        ("> [!edge] uses: [[Boden]]\n>> [!note] [[Humus]]", {("uses", B)}),
        ("- Punkt\n  > [!edge] uses: [[Boden]]\n- [[Humus]]", {("uses", B)}),
        ("> [!edge] uses:\n> - [[Boden]]\n> - blocks: [[Lehm]]\n>   - [[Sand]]",
         {("uses", B), ("blocks", L), ("blocks", S)}),
        ("> [!edge]\n> - [ ] uses: [[Boden]]", {("uses", B)}),
        ("> [!edge]\n> | uses: | [[Boden\\|b]] |\n> |---|---|\n> | blocks: | [[Lehm\\|l]] |",
         {("uses", B), ("blocks", L)}),
        ("> [!edge] uses: `[[Humus]]` [[Boden]] %% [[Humus]] %%", {("uses", B)}),
        ("> [!edge] uses: [[#Oben]] [[Boden]]", {("uses", B), ("uses", "Note.md#Oben")}),
        ("> [!edge] uses: [[Boden]]\n> ## blocks: [[Lehm]]", {("uses", B), ("blocks", L)}),
        ("> [!edge] uses: [[Boden]]\n\n> [!edge] blocks: [[Lehm]]", {("uses", B), ("blocks", L)}),
        ("> [!edge] uses: [[Boden]]\n\n> [[Humus]]", {("uses", B)}),
    ],
)  # fmt: skip
def test_an_edge_callout_in_every_place(tmp_path: Path, text: str, typed: Links) -> None:
    found, mentions = relations(tmp_path, text)
    assert found == typed
    assert ("references", H) in mentions or "Humus" not in text or "`" in text


@pytest.mark.parametrize(
    ("text", "typed", "plain"),
    [
        ("> [!edge] uses: [[Boden]]\n[[Lehm]]\n\n[[Humus]]", {B, L}, {H}),
        ("> [!edge] uses: [[Boden]]\n[[Lehm]] und\nmehr [[Sand]]\n\n[[Humus]]", {B, L, S}, {H}),
        ("> [!note]\n>> [!edge] uses: [[Boden]]\nfaul [[Lehm]]\n\n[[Humus]]", {B, L}, {H}),
        ("> [!edge] uses:\n> - [[Boden]]\n[[Lehm]]\n\n[[Humus]]", {B, L}, {H}),
        ("> [!edge] uses: [[Boden]]\n- [[Humus]]", {B}, {H}),
        ("> [!edge] uses: [[Boden]]\n# [[Humus]]", {B}, {H}),
        ("> [!edge] uses: [[Boden]]\n***\n[[Humus]]", {B}, {H}),
        ("> [!edge] uses: [[Boden]]\n```\n[[Sand]]\n```\n[[Humus]]", {B}, {H}),
        ("> [!edge] uses: [[Boden]]\n>\n[[Humus]]", {B}, {H}),
        ("> [!edge] uses: [[Boden]]\n> ## Kopf\n[[Humus]]", {B}, {H}),
    ],
)
def test_lines_without_a_mark_belong_to_the_callout_as_long_as_the_paragraph_runs(
    tmp_path: Path, text: str, typed: set[str], plain: set[str]
) -> None:
    found, mentions = relations(tmp_path, text)
    assert found == {("uses", target) for target in typed}
    assert {target for _, target in mentions} == typed | plain


@pytest.mark.parametrize(
    "text",
    [
        "> [!info] Quelle: [[Boden]]\n> Nur Text.",
        "> [!warning]\n> Achtung: [[Boden]] schonen.",
        "> [!edges] uses: [[Boden]]",
        "> [!edge-case] uses: [[Boden]]",
        "> [!knowledge] uses: [[Boden]]",
        "> [! edges ] uses: [[Boden]]",
        "> [!note]+ uses: [[Boden]]\n> blocks: [[Boden]]",
        "> Text\n> [!edge] uses: [[Boden]]",
        "[!edge] uses: [[Boden]]",
        "> \\[!edge] uses: [[Boden]]",
        "> [!quote]\n> > uses: [[Boden]]",
        "- [!edge] uses: [[Boden]]",
    ],
)
def test_no_other_callout_is_a_relation(tmp_path: Path, text: str) -> None:
    found, mentions = relations(tmp_path, text)
    assert found == set()
    assert mentions == {("references", B)}
