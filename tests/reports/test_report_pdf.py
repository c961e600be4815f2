from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pypdf
import pytest
import typst

from reports import build, figures, typeset
from reports.document import Table
from tests.reports import demo_report, hard_report


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u200b", "").replace("\u00a0", " "))


@cache
def pages(folder: Path) -> list[str]:
    reader = pypdf.PdfReader(folder / "report.pdf")
    return [squeeze(page.extract_text()) for page in reader.pages]


def structure(reader: Any) -> list[Any]:
    """All structure elements of a tagged PDF."""
    found: list[Any] = []
    open_: list[Any] = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while open_:
        node = open_.pop().get_object()
        if isinstance(node, pypdf.generic.ArrayObject):
            open_ += list(node)
        elif isinstance(node, pypdf.generic.DictionaryObject):
            if "/S" in node:
                found.append(node)
            if "/K" in node:
                open_.append(node["/K"])
    return found


@pytest.mark.parametrize("name", ["demo", "hard"])
def test_tagged_titled_and_in_a_language(name, request):
    reader: Any = pypdf.PdfReader(request.getfixturevalue(name) / "report.pdf")
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert "pdfuaid:part" in root["/Metadata"].get_object().get_data().decode()
    report = {"demo": demo_report, "hard": hard_report}[name].report()
    assert reader.metadata.title == typeset.clean(report.title)
    assert reader.metadata.creation_date is None
    assert reader.outline
    alts = {
        str(node["/Alt"])
        for node in structure(reader)
        if node["/S"] == "/Figure" and "/Alt" in node
    }
    assert alts == {typeset.clean(figure.alt) for figure in report.figures()}
    kinds = {node["/S"] for node in structure(reader)}
    assert {"/Table", "/TH", "/TD", "/H1", "/P", "/TOC"} <= kinds


@pytest.mark.parametrize("name", ["demo", "hard"])
def test_all_fonts_are_embedded(name, request):
    reader: Any = pypdf.PdfReader(request.getfixturevalue(name) / "report.pdf")
    names = set()
    for page in reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            descriptor = inner["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
            assert "/ToUnicode" in font.get_object()
            names.add(str(inner["/BaseFont"]).partition("+")[2])
    assert any(font.startswith("LibertinusSerif") for font in names)
    assert "DejaVuSans" in names, "figures are set in the font they were measured with"


def test_the_first_page_has_question_answer_and_both_figures(demo):
    first = pages(demo)[0]
    report = demo_report.report()
    assert report.title in first
    assert squeeze(report.question) in first
    assert "4.1 pp [3.8, 4.4]" in first
    assert "27.1 % [26.9, 27.3]" in first
    for figure in report.headline:
        assert figure.title in first
    assert "clean up at this many cards of rubble" in first, "text in figures can be searched"
    assert "CONTENTS" in first


def test_page_count_page_numbers_and_parts(demo):
    text = pages(demo)
    assert 12 <= len(text) <= 20
    for number, page in enumerate(text, start=1):
        assert f"{number} / {len(text)}" in page
    whole = " ".join(text)
    for words in ("Methods", "What the answers rest on", "How to reproduce", "seed 20260101"):
        assert words in whole
    assert "Figure 3 shows that" in whole
    assert "9b2f4c1d8e7a6f5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b" in whole
    assert all(len(page) > 200 for page in text), "a page is all but empty"


def test_a_table_of_500_rows_breaks_with_its_header(demo):
    text = pages(demo)
    table = [page for page in text if "chance of a cave-in" in page]
    assert len(table) >= 9
    whole = " ".join(table)
    for games in demo_report.long_table()["games"]:
        assert f"{games:,}" in whole


def test_an_empty_table_is_a_sentence(demo):
    assert "No game of 1,000,000 reached the cap" in " ".join(pages(demo))


def test_every_sign_survives(hard):
    whole = " ".join(pages(hard))
    for sign in ("#set $x$", '\\ "q"', "<label>", "{d} [e]", "@c", "//", "≥ →", "中", "🎲"):
        assert sign in whole
    assert "Supercalifragilistic" in whole


@pytest.mark.parametrize("name", ["demo", "hard"])
def test_no_word_begins_outside_the_page(name, request):
    reader = pypdf.PdfReader(request.getfixturevalue(name) / "report.pdf")
    for page in reader.pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        places: list[tuple[float, float]] = []

        def visit(text, cm, tm, font, size, places=places):
            if text.strip():
                x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
                y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
                places.append((x, y))

        page.extract_text(visitor_text=visit)
        assert places
        for x, y in places:
            assert typeset.MARGIN - 1 <= x <= width - typeset.MARGIN + 1
            assert 30 <= y <= height - 30


def test_words_are_never_wider_than_measured():
    samples = {
        *hard_report.SIGNS.replace("\ud800", "").replace("\x07", "").split(),
        *demo_report.STRATEGIES,
        *(typeset.breakable(hard_report.PATH).split("\u200b")),
        "[30.9,\u00a031.5]",
        "1,234,567",
        "−12.34\u00a0%",
        "Photographs of the player board show three slots",
        "WWWWWWWWWW",
        "mmmmmmmmmm",
        "iiiiiiiiii",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "abcdefghijklmnopqrstuvwxyz",
    }
    words = sorted(samples)
    source = """
    #set text(font: ("Libertinus Serif", "DejaVu Sans", "STIXGeneral"), size: 100pt,
      number-width: "tabular", number-type: "lining")
    #context [#metadata(json(bytes(sys.inputs.words)).map(w =>
      (measure(w).width.pt(), measure(strong(w)).width.pt())))<found>]
    """
    found = json.loads(
        typst.query(
            source.encode(),
            "<found>",
            field="value",
            one=True,
            font_paths=typeset.fonts(),
            ignore_system_fonts=True,
            sys_inputs={"words": json.dumps(words)},
        )
    )
    for word, (regular, bold) in zip(words, found, strict=True):
        assert regular <= 100 * typeset._width(word), word
        assert bold <= 1.16 * 100 * typeset._width(word), word
        assert regular >= 60 * typeset._width(word) - 15, f"{word} is given far too much room"


@pytest.mark.parametrize("columns", [1, 5, 9, 10, 14, 18, 40, 90])
def test_grids_fit_their_page_and_show_every_column_once(columns):
    table = Table("t", hard_report.wide(columns))
    grids = typeset.grids(table)
    seen = [column.heading for grid in grids for column in grid.columns[1:]]
    assert seen == list(table.shown().values())[1:]
    for grid in grids:
        room = typeset.LANDSCAPE if grid.landscape else typeset.PORTRAIT
        gaps = typeset.GAP * grid.size * (len(grid.columns) - 1)
        assert sum(grid.widths) + gaps <= room + 0.01
        assert 7 <= grid.size <= 9
        for column, width in zip(grid.columns, grid.widths, strict=True):
            assert width >= column.need * grid.size - 0.01
    if columns == 5:
        assert (grids[0].size, grids[0].landscape) == (9.0, False)
    lengths = [len(grid.columns) for grid in grids]
    assert max(lengths) - min(lengths) <= 1


def test_one_endless_number_still_fits():
    frame = pd.DataFrame({"a": ["1" * 400], "b": [2.0]})
    grids = typeset.grids(Table("t", frame, formats={"a": "number"}))
    assert sum(grids[-1].widths) <= typeset.LANDSCAPE


def test_headline_figures_of_full_width_are_stacked_on_the_first_page(tmp_path):
    report = demo_report.report()
    wide = [
        replace(
            report.headline[0],
            draw=demo_report.picture(
                figures.interval_dots, demo_report.seats(), label="seat", xlabel="win rate"
            ),
        ),
        replace(
            report.headline[1],
            draw=demo_report.picture(
                figures.curve_with_band,
                demo_report.thresholds(),
                x="threshold",
                by="supply",
                xlabel="cards of rubble",
            ),
        ),
    ]
    report = replace(report, headline=wide, sections=[], methods=[])
    images = {figure.name: build.draw(figure)[0] for figure in report.figures()}
    (tmp_path / "report.pdf").write_bytes(typeset.pdf(report, images))
    first = pages(tmp_path)[0]
    assert "win rate" in first
    assert "cards of rubble" in first
    assert "Figure 2" in first


def test_typst_says_what_is_wrong():
    with pytest.raises(RuntimeError, match="does not typeset"):
        typeset.pdf(
            demo_report.report(),
            {f.name: '<svg width="1pt" height="1pt"' for f in demo_report.report().figures()},
        )
