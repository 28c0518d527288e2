"""The page for readers: complete, honest about its scale, self-contained, and safe against odd text."""

import csv
import re
import shutil
from html.parser import HTMLParser

import pytest
import yaml
from kit.project_copy import ROOT

from stages.claims import apart
from stages.claims.judge_claims import CLAIMS
from stages.config import configuration
from stages.plan.reading_choices import flatten
from stages.report import claims_section, differences, provenance
from stages.report.job_costs import stage_costs
from stages.report.project import older_code, project
from stages.report.templates import render

OURS = ("B07", "B08", "B09")  # of our own claims those that the smoke preset has networks for
# Elements without an end tag.
VOID = {"meta", "link", "img", "br"}


class Outline(HTMLParser):
    """Collects ids, addresses and words, and checks that elements are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.tags, self.images, self.words, self.open = [], [], [], [], [], []
        self.feed(text)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.addresses += [attributes[name] for name in ("href", "src") if name in attributes]
        self.images += [attributes] if tag == "img" else []
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)


@pytest.fixture(scope="module")
def outline(report):
    return Outline(report.read_text())


def test_every_figure_and_table_is_there_once(outline, figures, tables):
    assert len(outline.ids) == len(set(outline.ids))
    for name in [*figures, *tables, "claims-table", "differences", "unstated", "costs", "digests"]:
        assert name in outline.ids


def test_every_picture_has_words_for_those_who_cannot_see_it(outline, figures):
    assert len(outline.images) == len(figures)
    assert all(len(image["alt"]) > 60 and int(image["width"]) > 100 for image in outline.images)


def test_the_page_needs_nothing_but_itself(report, outline):
    outside = [address for address in outline.addresses if not address.startswith(("#", "data:"))]
    assert outside == [project()["paper"]]  # a link to follow, nothing to load
    assert "script" not in outline.tags
    text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", report.read_text())
    assert "http:" not in text
    assert re.findall(r'(\w+)="https:', text) == ["href"]
    assert text.count("https:") == 1
    assert "url(" not in text
    assert "@import" not in text


def test_the_page_opens_with_its_preset_and_how_it_differs_from_the_paper(report):
    text = report.read_text()
    opening = text[: text.index('id="claims"')]
    assert "Made with the smoke preset: 6 layers, 400 training digits, 1 epoch, 2 runs." in opening
    assert "This is not the paper’s experiment" in opening
    assert re.search(r"<td>layers</td><td class=\"number\">6</td><td class=\"number\">150</td>", opening)


def test_the_papers_scale_is_not_called_small_but_its_one_difference_is_named(write_page, root, tmp_path):
    config = configuration.load(root, "paper")
    different, unstated, same = differences.compare(config, root / "workflow" / "reference" / "settings.csv")
    assert [row[0] for row in different] == ["attack.images"]
    assert "ode45.atol" in [row[0] for row in unstated]
    assert "network.depth" in [row[0] for row in same]


def test_one_difference_and_few_missing_stores_are_counted_in_english(write_page, whole_config, tmp_path, monkeypatch):
    setting = differences.Setting("attack.images", "attacked images", "1,000", "10,000", "")
    monkeypatch.setattr(differences, "compare", lambda config, reference: ([setting], [], []))
    made = {
        "digests": {},
        "versions": [],
        "backends": [],
        "missing": ["a.zarr", "b.zarr"],
        "on_rounded": ["ncg_ce_relu/run1"],
    }
    monkeypatch.setattr(provenance, "collect", lambda folder, config: made)
    text = write_page(whole_config, tmp_path / "report.html").read_text()
    assert "one setting that the paper states is different here, and listed below. The" in text
    assert "<p>Missing stores: 2, a.zarr, b.zarr</p>" in text
    assert "as make restore gives them back: ncg_ce_relu/run1.</p>" in text


def test_every_reference_setting_is_a_key_of_the_configuration(root):
    config = configuration.load(root, "paper")
    config["trainers"] = {name: {"runs": 5} | trainer for name, trainer in config["trainers"].items()}  # may have it
    flat = flatten(config)
    with open(root / "workflow" / "reference" / "settings.csv", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [row["key"] for row in rows if row["key"] not in flat] == []


def test_few_runs_are_said_to_say_little(report):
    assert "With 2 runs, where the paper has 5" in report.read_text()


def test_odd_text_cannot_break_the_page(finished, write_page, config, tmp_path):
    evil = "<script>alert(1)</script> & \"quotes\" 'too'"
    claims = finished / "claims.csv"
    before = claims.read_text()
    rows = list(csv.DictReader(before.splitlines()))
    rows[0] |= {"claim": evil, "statistic": evil, "reason": evil, "section": evil}
    with open(claims, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    config["data"]["files"]["train_images"] = evil
    try:
        text = write_page(config, tmp_path / "report.html").read_text()
    finally:
        claims.write_text(before)
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 5
    Outline(text)


def test_versions_backend_costs_and_digests_are_told(report):
    text = report.read_text()
    assert "Backend: numpy." in text
    assert "Versions that made the stores: numpy " in text
    assert "matplotlib " in text
    assert "312 MB" in text
    assert "1 min" in text
    assert len(set(re.findall(r'class="digest">([0-9a-f]{64})<', text))) > 20


def test_columns_that_the_page_does_not_know_are_shown_under_their_names(finished, report, whole_config, tmp_path):
    """A claim, and a comparison, may say more than the page has places for: by which rule it was judged, say."""
    folder = tmp_path / "results"
    folder.mkdir()
    shutil.copy(finished / "levels.csv", folder)
    for name in ("claims", "claims_in_detail"):
        rows = list(csv.DictReader((finished / f"{name}.csv").read_text().splitlines()))
        with open(folder / f"{name}.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, [*rows[0], "judged_by"])
            writer.writeheader()
            writer.writerows(row | {"judged_by": f"the rule of {name}"} for row in rows)
    lists = ("tables", "figures", "different", "unstated", "same", "settings", "versions", "own_versions", "backends")
    nothing = dict.fromkeys(lists, ()) | {
        "project": project(),
        "older_code": (),
        "missing": (),
        "on_rounded": (),
        "not_run": (),
        "costs": (),
        "digests": {},
        "scale": "",
        "preset": "",
    }
    content = claims_section.gather(folder, whole_config) | nothing
    text = render(ROOT / "stages/report/report.html.j2", content)
    assert text.count("judged by: the rule of claims\n") == len(CLAIMS) + len(OURS)
    assert text.count("judged by: the rule of claims_in_detail<") > 20
    assert "judged by:" not in report.read_text()


def test_the_published_verdicts_stand_beside_those_of_this_run(finished, write_page, whole_config, tmp_path):
    published = tmp_path / "paper"
    published.mkdir()
    rows, _ = apart(csv.DictReader((finished / "claims.csv").read_text().splitlines()))
    with open(published / "claims.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"verdict": "does not hold"} for row in rows[:-1])
    (published / "experiment.yaml").write_text(yaml.safe_dump(configuration.load(ROOT, "paper")))
    text = write_page(whole_config, tmp_path / "report.html", published).read_text()
    Outline(text)
    assert f"in this run {len(CLAIMS)} hold, 0 hold in part, 0 do not hold" in text
    assert (
        "(paper preset: 150 layers, 60,000 training digits, 10 epochs, 5 runs), 0 hold, 0 hold in part, 28 do not hold"
        in text
    )
    text = text[: text.index('id="our-claims-table"')]
    text = text[: text.index('id="levels"')]
    assert text.count('<span class="badge holds">') == len(CLAIMS)
    assert text.count('<span class="badge fails">') == len(CLAIMS) - 1
    assert text.count("not judged") == 1  # a claim that the published run did not know


def test_each_claim_has_a_bar_its_criterion_and_the_earlier_verdict(report):
    text = report.read_text()
    assert text.count('<span class="bar" role="img" aria-label="') == len(CLAIMS) + len(OURS)
    assert "smoother trained weights compared to weights obtained when considering the L²-inner product" in text
    assert "(line 570)" in text
    assert text.count("Published before, by the earlier criterion: ") == 20
    assert "written after run 0 of the published networks had been seen and before any other run" in text
    assert "Attacked are the first 24 test images" in text
    assert "the first half of MNIST&#39;s test images is known to be the easier one" in text


def test_what_was_found_is_told_in_sentences(report):
    text = report.read_text()
    found = text[text.index("What was found") :]
    sentences = re.findall(r"<li>(.*?)</li>", found[: found.index("</ul>")])
    assert 5 <= len(sentences) <= 8
    assert "with ReLU, SGD&#39;s networks are 2.4 to 4 times as susceptible" in sentences[1]


def test_levels_stand_beside_the_printed_numbers(report):
    text = report.read_text()
    levels = text[text.index('id="levels"') :]
    levels = levels[: levels.index("</section>")]
    assert "Table 2: " in levels
    assert levels.count(">inside<") + levels.count(">outside<") == 8 + 20 + 2 * 36


def test_our_own_claims_tables_and_figures_stand_in_a_part_of_their_own(report):
    paper, beyond = report.read_text().split('<section id="beyond">')
    beyond = beyond[: beyond.index("</section>")]
    assert f"Of the paper’s {len(CLAIMS)} claims, in this run {len(CLAIMS)} hold, 0 hold in part" in paper
    assert f"Of our own {len(OURS)} claims beyond the paper, " in paper
    for name in OURS:
        assert f'<td class="key">{name}</td>' in beyond
        assert f'<td class="key">{name}</td>' not in paper
    for name in ("fig_uncertainty", "fig_least_certain", "table_uncertainty"):
        assert f'id="{name}"' in beyond
        assert f'id="{name}"' not in paper


def test_the_configuration_lies_beside_the_page_and_makes_the_same_experiment(report, root, whole_config):
    again = configuration.load(root, overrides=yaml.safe_load(report.with_name("experiment.yaml").read_text()))
    assert again == whole_config


def test_costs_are_of_the_experiment_by_stage_and_skip_what_was_not_measured(tmp_path, root):
    config = configuration.load(root, "smoke", {"training": {"runs": 2}, "trainers": {"ncg": {"runs": 1}}})
    for name, text in {
        "train/sgd_ce_relu/run1.tsv": "s\tmax_rss\n10\t100\n",
        "train/sgd_ce_tanh/lockstep.tsv": "s\tmax_rss\n30\t50\n",
        "train/sgd_ce_relu/run2.tsv": "s\tmax_rss\n500\t500\n",  # more than the experiment has
        "train/ncg_ce_relu/run1.tsv": "s\tmax_rss\n500\t500\n",
        "train/mine_ce_relu/run0.tsv": "s\tmax_rss\n500\t500\n",
        "attack/fgsm/sgd_ce_relu/run1.tsv": "s\tmax_rss\n2\t60\n",
        "attack/old/sgd_ce_relu/run0.tsv": "s\tmax_rss\n500\t500\n",
        "data/fetch_digits.tsv": "s\tmax_rss\n1\tNA\n",
    }.items():
        path = tmp_path / "benchmarks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert stage_costs(tmp_path, config) == [
        ("data", 1, 1.0, 1.0, None),
        ("train", 2, 30.0, 40.0, 100.0),
        ("attack", 1, 2.0, 2.0, 60.0),
    ]


def test_the_page_opens_with_what_was_found_and_links_the_paper(report, outline):
    text = report.read_text()
    front = text[: text.index('id="scale"')]
    assert 'class="tiles"' in front
    assert project()["paper"] in front
    assert project()["title"] in " ".join(outline.words)


def test_results_of_another_version_are_said_to_be_so():
    from stages import __version__

    assert older_code([("numpy", "1.0"), ("snode", __version__)]) == []
    (all_older,) = older_code([("snode", "0.0.1")])
    assert all_older.startswith("The results were computed by version 0.0.1")
    (line,) = older_code([("snode", "0.0.1"), ("snode", __version__)])
    assert line.startswith("Some of the results were computed by version 0.0.1")
    assert f"judged by version {__version__}" in line


def test_the_repository_is_linked_where_it_is_known(tmp_path):
    text = (ROOT / "CITATION.cff").read_text()
    known = tmp_path / "CITATION.cff"
    known.write_text(f"{text}repository-code: https://example.org/snode\n")
    assert project(known)["repository"] == "https://example.org/snode"
