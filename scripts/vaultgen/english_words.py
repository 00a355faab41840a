"""English words by topic. A noun whose plural is not regular is written ``singular/plural``."""

from __future__ import annotations

from collections.abc import Mapping

FOLDERS: Mapping[str, str] = {
    "garden": "Garden",
    "kitchen": "Cooking",
    "software": "Software notes",
    "music": "Music",
    "travel": "Travel",
    "health": "Health",
    "money": "Money",
    "workshop": "Workshop",
    "history": "History",
    "photo": "Photography",
    "sky": "Astronomy",
    "team": "Teamwork",
}

NOUNS: Mapping[str, str] = {
    "garden": """compost, bed, harvest, soil, seedling, hedge, watering can, fertiliser, slug, apple tree,
        greenhouse, tomato/tomatoes, frost, mulch/mulches, crop rotation, earthworm, weed, blossom, cutting,
        trellis/trellises, pond, root, spade, pollinator""",
    "kitchen": """dough, yeast, flour, crust, oven, soup, spice, broth, kettle, knife/knives, fermentation,
        vinegar, recipe, pan, starter, sauce, loaf/loaves, onion, cabbage, butter, pickle, temperature,
        pantry/pantries, marmalade""",
    "software": """index/indexes, query/queries, backup, database, server, table, protocol, interface, bug,
        script, release, buffer, migration, password, service, queue, module, test, cache, certificate,
        deadlock, node, network, commit""",
    "music": """chord, melody/melodies, piano, string, bar, rehearsal, orchestra, voice, rhythm, song, scale,
        choir, concert, rest, bow, recording, metronome, score, tone, mouthpiece, harmony/harmonies, exercise,
        motif, cadence""",
    "travel": """station, journey, tent, map, rucksack, hut, luggage item, border, river, coast, ticket,
        hostel, passport, route, boat, island, summit, ferry/ferries, village, bridge, harbour, visa, stage,
        footpath""",
    "health": """night's sleep, breath, knee, stretch/stretches, pulse, diet, training, shoulder, muscle,
        habit, weight, recovery/recoveries, walk, allergy/allergies, medicine, posture, circulation,
        immune response, vaccine, back, vitamin, injury/injuries, finding, heart""",
    "money": """loan, invoice, account, rent, contract, tax/taxes, budget, reserve, interest rate,
        insurance policy/insurance policies, portfolio, receipt, voucher, expense, offer, pension, household,
        fee, mortgage, donation, price, booking, income, deadline""",
    "workshop": """plane, saw, board, batten, glue, screw, hinge, workbench/workbenches, drill, clamp, timber,
        edge, tenon, surface, shelf/shelves, drawer, varnish/varnishes, file, veneer, grain, table, workpiece,
        router, chisel""",
    "history": """treaty/treaties, charter, monastery/monasteries, city wall, market, guild, archive,
        chronicle, war, source, coat of arms/coats of arms, coin, trade route, castle, seal, reform, uprising,
        dynasty/dynasties, century/centuries, excavation, find, manuscript, monument, plague""",
    "photo": """aperture, lens/lenses, film, exposure, tripod, contrast, camera, negative, print,
        focus/focuses, light, shadow, colour, archive, sensor, focal length, portrait, flash/flashes,
        development, format, crop, landscape, filter, series/series""",
    "sky": """planet, galaxy/galaxies, telescope, orbit, star, observation, spectrum/spectra, comet, eclipse,
        eyepiece, moon, star chart, constellation, mirror, mount, noise floor, nebula/nebulae, magnitude,
        signal, meteor, dome, twilight, crater, survey""",
    "team": """project, task, meeting, decision, goal, report, standup, team, order, plan, risk, workflow,
        estimate, result, draft, review, interview, milestone, responsibility/responsibilities, customer call,
        workshop, delay, handover, conflict""",
}

GENERAL_NOUNS = """idea, question, problem, reason, solution, example, attempt, list, step, rule, note,
    comparison, experience, book, difference, limit, method, state, consequence, feature, pattern, assumption,
    area, habit"""

VERBS: Mapping[str, str] = {
    "garden": """waters water watered, feeds feed fed, prunes prune pruned, loosens loosen loosened,
        protects protect protected, harvests harvest harvested, shades shade shaded""",
    "kitchen": """cooks cook cooked, seasons season seasoned, kneads knead kneaded, roasts roast roasted,
        chills chill chilled, weighs weigh weighed, bakes bake baked""",
    "software": """loads load loaded, checks check checked, saves save saved, blocks block blocked,
        replaces replace replaced, reads read read, restarts restart restarted""",
    "music": """plays play played, tunes tune tuned, accompanies accompany accompanied,
        practises practise practised, carries carry carried, mutes mute muted, follows follow followed""",
    "travel": """reaches reach reached, books book booked, packs pack packed, leaves leave left,
        seeks seek sought, crosses cross crossed, finds find found""",
    "health": """strengthens strengthen strengthened, relieves relieve relieved, measures measure measured,
        calms calm calmed, disturbs disturb disturbed, improves improve improved, needs need needed""",
    "money": """pays pay paid, cancels cancel cancelled, audits audit audited, lowers lower lowered,
        divides divide divided, saves save saved, covers cover covered""",
    "workshop": """planes plane planed, glues glue glued, sands sand sanded, drills drill drilled,
        holds hold held, joins join joined, dries dry dried""",
    "history": """mentions mention mentioned, destroys destroy destroyed, founds found founded,
        describes describe described, documents document documented, loses lose lost, governs govern governed""",
    "photo": """exposes expose exposed, shows show shown, stresses stress stressed, sharpens sharpen sharpened,
        hides hide hidden, stores store stored, frames frame framed""",
    "sky": """observes observe observed, eclipses eclipse eclipsed, circles circle circled,
        measures measure measured, reflects reflect reflected, crosses cross crossed, confirms confirm confirmed""",
    "team": """plans plan planned, postpones postpone postponed, clarifies clarify clarified, owns own owned,
        finishes finish finished, estimates estimate estimated, assigns assign assigned""",
}

GENERAL_VERBS = """needs need needed, changes change changed, explains explain explained,
    prevents prevent prevented, completes complete completed, uses use used, defines define defined,
    shows show shown, requires require required, affects affect affected"""

ADJECTIVES: Mapping[str, str] = {
    "garden": "damp sunny shady loamy hardy ripe wild vigorous young",
    "kitchen": "warm salty crisp sharp fresh mild roasted cold sweet",
    "software": "slow distributed encrypted stable outdated empty duplicate fast local",
    "music": "quiet legato four-part deep bright pure muted lively loud",
    "travel": "distant cheap remote steep calm northern famous dusty broad",
    "health": "tired regular painful relaxed healthy light daily strong awake",
    "money": "yearly due cheap fixed variable joint private running open",
    "workshop": "smooth narrow solid rough oiled blunt straight glued thin",
    "history": "medieval imperial disputed lost municipal early late important poor",
    "photo": "blurred colourful grainy soft high-contrast analogue square matte overexposed",
    "sky": "bright faraway faint visible periodic reddish cool massive round",
    "team": "urgent open shared postponed small unclear important finished tight",
}

GENERAL_ADJECTIVES = """new old simple difficult good bad useful small large long short possible clear
    necessary similar right"""

ADVERBS = """often rarely usually then first meanwhile still probably quickly slowly hardly again finally
    always perhaps exactly"""
TIMES = """In spring|Since last winter|At the weekend|During the night|After two weeks|In practice|
    In the long run|In the evening|Before leaving|When it rains|Since yesterday|On the second attempt|
    At the beginning|In the end|In summer|Early today"""
CONNECTORS = "because|although|when|as soon as|so that|while|before|after|if"
HEADINGS = """Background|Next steps|Open questions|Procedure|Outcome|Materials|Sources|Lessons|Summary|
    Why it matters|Observations|Decision|Pros and cons|Numbers|Exercise|Instructions|Examples|Review"""
CALLOUTS = "Careful|Remember|Tip|Question|Example|Quote"
FIRST_NAMES = """Alice Brendan Chloe Dominic Edith Fergus Grace Harold Imogen Jasper Kirsty Leonard Miriam
    Nigel Olive Percy Rosalind Silas Thea Ursula Victor Winifred Yasmin Zachary"""
SURNAME_STARTS = """Ash Black Brook Carl Dun East Fair Green Hart Kings Lang Mor North Oak Pem Red Shel Thorn
    Under Whit Wood York"""
SURNAME_ENDS = "bridge bury by combe croft dale field ford gate ham ley more shaw son stead ton well worth"
LINK_PHRASES = """See {}.|Compare {}.|There is more in {}.|This is connected to {}.|The thought comes from {}.|
    {} says more about it.|{} speaks against it.|The same is described in {}."""
KINDS = """depends_on related_to similar_to based_on caused_by derived_from part_of uses blocks impacts
    supports contradicts solves see_also requires example_of"""
TITLE_FORMS = """{c}|{a} {n}|{n} and {m}|{n} or {m}|{n} for {x}|{c} – {m}|Why {y} matters|How {y} is {p}|
    {n} ({m})|{c} {name}|{n}, {a} {m}"""
LABELS: Mapping[str, str] = {
    "overview": "Overview",
    "notes": "Notes",
    "ideas": "Ideas",
    "journal": "Journal",
    "people": "People",
    "meeting": "Meeting",
    "project": "Project",
    "projects": "Projects",
    "templates": "Templates",
    "sources": "Books & sources",
    "decision": "Decision",
    "see_also": "See also",
    "unassigned": "Unassigned Edges",
    "smart": "Smart Edges",
    "copy": "copy",
}
