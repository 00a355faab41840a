"""German words by topic. Nouns are written ``article singular plural``, verbs ``he/she-form infinitive participle``."""

from __future__ import annotations

from collections.abc import Mapping

FOLDERS: Mapping[str, str] = {
    "garden": "Gärten",
    "kitchen": "Küche",
    "software": "Software",
    "music": "Musik",
    "travel": "Reisen",
    "health": "Gesundheit & Körper",
    "money": "Geld",
    "workshop": "Werkstatt",
    "history": "Geschichte",
    "photo": "Fotografie",
    "sky": "Sternwarte",
    "team": "Zusammenarbeit",
}

NOUNS: Mapping[str, str] = {
    "garden": """der Kompost Komposte, das Beet Beete, die Ernte Ernten, der Boden Böden, die Pflanze Pflanzen,
        der Samen Samen, die Hecke Hecken, die Gießkanne Gießkannen, der Dünger Dünger, die Schnecke Schnecken,
        der Apfelbaum Apfelbäume, das Gewächshaus Gewächshäuser, die Tomate Tomaten, der Frost Fröste,
        die Mulchschicht Mulchschichten, die Fruchtfolge Fruchtfolgen, der Regenwurm Regenwürmer,
        das Unkraut Unkräuter, die Blüte Blüten, der Steckling Stecklinge, das Hochbeet Hochbeete,
        die Bewässerung Bewässerungen, der Spaten Spaten, die Zucchini Zucchini""",
    "kitchen": """der Teig Teige, die Hefe Hefen, das Mehl Mehle, die Kruste Krusten, der Ofen Öfen,
        die Suppe Suppen, das Gewürz Gewürze, die Brühe Brühen, der Kessel Kessel, das Messer Messer,
        die Gärung Gärungen, der Essig Essige, das Rezept Rezepte, die Pfanne Pfannen,
        der Sauerteig Sauerteige, die Soße Soßen, das Brot Brote, die Zwiebel Zwiebeln, der Kohl Kohle,
        die Butter Buttern, das Gemüse Gemüse, die Temperatur Temperaturen, der Vorrat Vorräte,
        die Marmelade Marmeladen""",
    "software": """der Index Indizes, die Abfrage Abfragen, das Backup Backups, die Datenbank Datenbanken,
        der Server Server, die Tabelle Tabellen, das Protokoll Protokolle, die Schnittstelle Schnittstellen,
        der Fehler Fehler, das Skript Skripte, die Version Versionen, der Speicher Speicher,
        die Migration Migrationen, das Passwort Passwörter, der Dienst Dienste,
        die Warteschlange Warteschlangen, das Modul Module, die Prüfung Prüfungen, der Cache Caches,
        das Zertifikat Zertifikate, die Last Lasten, der Knoten Knoten, das Netz Netze, die Freigabe Freigaben""",
    "music": """der Akkord Akkorde, die Melodie Melodien, das Klavier Klaviere, die Saite Saiten,
        der Takt Takte, die Probe Proben, das Orchester Orchester, die Stimme Stimmen, der Rhythmus Rhythmen,
        das Lied Lieder, die Tonleiter Tonleitern, der Chor Chöre, das Konzert Konzerte, die Pause Pausen,
        der Bogen Bögen, die Aufnahme Aufnahmen, das Metronom Metronome, die Partitur Partituren,
        der Klang Klänge, das Mundstück Mundstücke, die Harmonie Harmonien, die Übung Übungen,
        das Motiv Motive, der Flügel Flügel""",
    "travel": """der Bahnhof Bahnhöfe, die Reise Reisen, das Zelt Zelte, die Karte Karten,
        der Rucksack Rucksäcke, die Hütte Hütten, das Gepäck Gepäcke, die Grenze Grenzen, der Fluss Flüsse,
        die Küste Küsten, das Ticket Tickets, die Unterkunft Unterkünfte, der Pass Pässe, die Route Routen,
        das Boot Boote, die Insel Inseln, der Gipfel Gipfel, die Fähre Fähren, das Dorf Dörfer,
        die Brücke Brücken, der Hafen Häfen, das Visum Visa, die Etappe Etappen, der Wanderweg Wanderwege""",
    "health": """der Schlaf Schläfe, die Atmung Atmungen, das Knie Knie, die Dehnung Dehnungen, der Puls Pulse,
        die Ernährung Ernährungen, das Training Trainings, die Schulter Schultern, der Muskel Muskeln,
        die Gewohnheit Gewohnheiten, das Gewicht Gewichte, die Erholung Erholungen,
        der Spaziergang Spaziergänge, die Allergie Allergien, das Medikament Medikamente,
        die Haltung Haltungen, der Kreislauf Kreisläufe, das Immunsystem Immunsysteme, die Impfung Impfungen,
        der Rücken Rücken, das Vitamin Vitamine, die Verletzung Verletzungen, der Befund Befunde,
        das Herz Herzen""",
    "money": """der Kredit Kredite, die Rechnung Rechnungen, das Konto Konten, die Miete Mieten,
        der Vertrag Verträge, die Steuer Steuern, das Budget Budgets, die Rücklage Rücklagen, der Zins Zinsen,
        die Versicherung Versicherungen, das Depot Depots, die Quittung Quittungen, der Beleg Belege,
        die Ausgabe Ausgaben, das Angebot Angebote, die Rente Renten, der Haushalt Haushalte,
        die Gebühr Gebühren, das Darlehen Darlehen, die Spende Spenden, der Kurs Kurse, die Buchung Buchungen,
        das Einkommen Einkommen, die Frist Fristen""",
    "workshop": """der Hobel Hobel, die Säge Sägen, das Brett Bretter, die Leiste Leisten, der Leim Leime,
        die Schraube Schrauben, das Scharnier Scharniere, die Werkbank Werkbänke, der Bohrer Bohrer,
        die Zwinge Zwingen, das Holz Hölzer, die Kante Kanten, der Zapfen Zapfen, die Oberfläche Oberflächen,
        das Regal Regale, die Schublade Schubladen, der Lack Lacke, die Feile Feilen, das Furnier Furniere,
        die Maserung Maserungen, der Tisch Tische, das Werkstück Werkstücke, die Fräse Fräsen,
        der Schliff Schliffe""",
    "history": """der Vertrag Verträge, die Urkunde Urkunden, das Kloster Klöster, die Stadtmauer Stadtmauern,
        der Markt Märkte, die Zunft Zünfte, das Archiv Archive, die Chronik Chroniken, der Krieg Kriege,
        die Quelle Quellen, das Wappen Wappen, die Münze Münzen, der Handel Handel, die Burg Burgen,
        das Siegel Siegel, die Reform Reformen, der Aufstand Aufstände, die Herrschaft Herrschaften,
        das Jahrhundert Jahrhunderte, die Ausgrabung Ausgrabungen, der Fund Funde,
        die Handschrift Handschriften, das Denkmal Denkmäler, die Seuche Seuchen""",
    "photo": """die Blende Blenden, das Objektiv Objektive, der Film Filme, die Belichtung Belichtungen,
        das Stativ Stative, der Kontrast Kontraste, die Kamera Kameras, das Negativ Negative, der Abzug Abzüge,
        die Schärfe Schärfen, das Licht Lichter, der Schatten Schatten, die Farbe Farben, das Archiv Archive,
        der Sensor Sensoren, die Brennweite Brennweiten, das Porträt Porträts, der Blitz Blitze,
        die Entwicklung Entwicklungen, das Format Formate, der Ausschnitt Ausschnitte,
        die Landschaft Landschaften, der Filter Filter, die Serie Serien""",
    "sky": """der Planet Planeten, die Galaxie Galaxien, das Teleskop Teleskope, die Umlaufbahn Umlaufbahnen,
        der Stern Sterne, die Beobachtung Beobachtungen, das Spektrum Spektren, der Komet Kometen,
        die Finsternis Finsternisse, das Okular Okulare, der Mond Monde, die Sternkarte Sternkarten,
        das Sternbild Sternbilder, der Spiegel Spiegel, die Montierung Montierungen, das Rauschen Rauschen,
        der Nebel Nebel, die Helligkeit Helligkeiten, das Signal Signale, der Meteor Meteore,
        die Kuppel Kuppeln, die Dämmerung Dämmerungen, der Krater Krater, die Messreihe Messreihen""",
    "team": """das Projekt Projekte, die Aufgabe Aufgaben, der Termin Termine, die Entscheidung Entscheidungen,
        das Ziel Ziele, der Bericht Berichte, die Besprechung Besprechungen, das Team Teams,
        der Auftrag Aufträge, die Planung Planungen, das Risiko Risiken, der Ablauf Abläufe,
        die Schätzung Schätzungen, das Ergebnis Ergebnisse, der Entwurf Entwürfe,
        die Rückmeldung Rückmeldungen, das Gespräch Gespräche, der Meilenstein Meilensteine,
        die Zuständigkeit Zuständigkeiten, das Kundengespräch Kundengespräche, der Workshop Workshops,
        die Verzögerung Verzögerungen, die Übergabe Übergaben, der Konflikt Konflikte""",
}

GENERAL_NOUNS = """die Idee Ideen, die Frage Fragen, das Problem Probleme, der Grund Gründe,
    die Lösung Lösungen, das Beispiel Beispiele, der Versuch Versuche, die Liste Listen, der Schritt Schritte,
    die Regel Regeln, der Plan Pläne, die Notiz Notizen, der Vergleich Vergleiche, die Erfahrung Erfahrungen,
    das Buch Bücher, der Unterschied Unterschiede, die Grenze Grenzen, die Methode Methoden,
    der Zustand Zustände, die Folge Folgen, das Merkmal Merkmale, der Zusammenhang Zusammenhänge,
    die Annahme Annahmen, der Bereich Bereiche"""

VERBS: Mapping[str, str] = {
    "garden": """gießt gießen gegossen, düngt düngen gedüngt, schneidet schneiden geschnitten,
        lockert lockern gelockert, schützt schützen geschützt, erntet ernten geerntet, setzt setzen gesetzt""",
    "kitchen": """kocht kochen gekocht, würzt würzen gewürzt, knetet kneten geknetet, röstet rösten geröstet,
        kühlt kühlen gekühlt, wiegt wiegen gewogen, backt backen gebacken""",
    "software": """lädt laden geladen, prüft prüfen geprüft, sichert sichern gesichert,
        blockiert blockieren blockiert, ersetzt ersetzen ersetzt, liest lesen gelesen, startet starten gestartet""",
    "music": """spielt spielen gespielt, stimmt stimmen gestimmt, begleitet begleiten begleitet,
        übt üben geübt, trägt tragen getragen, dämpft dämpfen gedämpft, singt singen gesungen""",
    "travel": """erreicht erreichen erreicht, bucht buchen gebucht, packt packen gepackt,
        verlässt verlassen verlassen, sucht suchen gesucht, überquert überqueren überquert,
        findet finden gefunden""",
    "health": """stärkt stärken gestärkt, entlastet entlasten entlastet, misst messen gemessen,
        beruhigt beruhigen beruhigt, stört stören gestört, verbessert verbessern verbessert,
        braucht brauchen gebraucht""",
    "money": """bezahlt bezahlen bezahlt, kündigt kündigen gekündigt, prüft prüfen geprüft,
        senkt senken gesenkt, verteilt verteilen verteilt, spart sparen gespart, belastet belasten belastet""",
    "workshop": """hobelt hobeln gehobelt, leimt leimen geleimt, schleift schleifen geschliffen,
        bohrt bohren gebohrt, hält halten gehalten, verbindet verbinden verbunden, trocknet trocknen getrocknet""",
    "history": """erwähnt erwähnen erwähnt, zerstört zerstören zerstört, gründet gründen gegründet,
        beschreibt beschreiben beschrieben, belegt belegen belegt, verliert verlieren verloren,
        regelt regeln geregelt""",
    "photo": """belichtet belichten belichtet, zeigt zeigen gezeigt, betont betonen betont,
        schärft schärfen geschärft, verdeckt verdecken verdeckt, speichert speichern gespeichert,
        rahmt rahmen gerahmt""",
    "sky": """beobachtet beobachten beobachtet, verdeckt verdecken verdeckt, umkreist umkreisen umkreist,
        misst messen gemessen, spiegelt spiegeln gespiegelt, kreuzt kreuzen gekreuzt,
        bestätigt bestätigen bestätigt""",
    "team": """plant planen geplant, verschiebt verschieben verschoben, klärt klären geklärt,
        übernimmt übernehmen übernommen, beendet beenden beendet, schätzt schätzen geschätzt,
        verteilt verteilen verteilt""",
}

GENERAL_VERBS = """braucht brauchen gebraucht, verändert verändern verändert, erklärt erklären erklärt,
    verhindert verhindern verhindert, ergänzt ergänzen ergänzt, benutzt benutzen benutzt,
    bestimmt bestimmen bestimmt, zeigt zeigen gezeigt, erfordert erfordern erfordert,
    betrifft betreffen betroffen"""

ADJECTIVES: Mapping[str, str] = {
    "garden": "feucht sonnig schattig lehmig frostfest reif wild kräftig jung",
    "kitchen": "warm salzig knusprig scharf frisch mild geröstet kalt süß",
    "software": "langsam verteilt verschlüsselt stabil veraltet leer doppelt schnell lokal",
    "music": "leise gebunden vierstimmig tief hell rein gedämpft lebhaft laut",
    "travel": "weit günstig abgelegen steil ruhig nördlich bekannt staubig breit",
    "health": "müde regelmäßig schmerzhaft entspannt gesund leicht täglich stark wach",
    "money": "jährlich fällig günstig fest schwankend gemeinsam privat laufend offen",
    "workshop": "glatt schmal massiv rau geölt stumpf gerade verleimt dünn",
    "history": "mittelalterlich kaiserlich umstritten verschollen städtisch frühe spät bedeutend arm",
    "photo": "unscharf farbig körnig weich kontrastreich analog quadratisch matt überbelichtet",
    "sky": "hell fern schwach sichtbar periodisch rötlich kühl massereich rund",
    "team": "dringend offen gemeinsam verschoben klein unklar wichtig erledigt knapp",
}

GENERAL_ADJECTIVES = (
    "neu alt einfach schwierig gut schlecht wichtig klein groß lang kurz möglich klar nötig ähnlich richtig sicher"
)

ADVERBS = """oft selten meistens danach zuerst inzwischen trotzdem wahrscheinlich schnell langsam kaum wieder
    endlich nachts morgens immer vielleicht genau"""
TIMES = """Im Frühjahr|Seit dem letzten Winter|Am Wochenende|In der Nacht|Nach zwei Wochen|Im Alltag|Auf Dauer|
    Am Abend|Vor der Abreise|Bei Regen|Seit gestern|Im zweiten Versuch|Am Anfang|Zum Schluss|Im Sommer|
    Heute früh"""
CONNECTORS = "weil|obwohl|wenn|sobald|damit|während|bevor|nachdem|falls"
HEADINGS = """Hintergrund|Nächste Schritte|Offene Fragen|Ablauf|Ergebnis|Material|Quellen|Erfahrungen|
    Zusammenfassung|Warum das wichtig ist|Beobachtungen|Entscheidung|Vor- und Nachteile|Zahlen|Übung|Anleitung|
    Beispiele|Rückblick"""
CALLOUTS = "Achtung|Merke|Tipp|Frage|Beispiel|Zitat"
FIRST_NAMES = """Anja Björn Cäcilie Detlef Elke Frieder Gesine Hannes Ilka Jörg Käthe Lukas Mareike Niklas Ole
    Petra Quirin Ruth Sönke Tabea Ulrike Veit Wiebke Yusuf"""
SURNAME_STARTS = """Acker Berg Birken Buch Dorn Eich Falken Grün Hasel Imker Kalt Linden Müller Nuss Ost Rapp
    Stein Tann Ufer Wald Weiß Zimmer"""
SURNAME_ENDS = """bach berger brandt feld hoff huber kamp lein mann meier moser müller reuter schmidt stätter
    thal wies winkel"""
LINK_PHRASES = """Siehe {}.|Vergleiche {}.|Mehr dazu steht in {}.|Das hängt mit {} zusammen.|
    Der Gedanke kommt aus {}.|Ausführlicher in {}.|Dagegen spricht {}.|So auch in {} beschrieben."""
KINDS = """depends_on related_to ähnlich_wie basiert_auf ausgelöst_durch abgeleitet_von teil_von nutzt
    blockiert beeinflusst stützt widerspricht löst siehe_auch braucht beispiel_für"""
TITLE_FORMS = """{c}|{a} {n}|{n} und {m}|{n} oder {m}|{n} für {x}|{c} – {m}|Warum {y} wichtig ist|
    Wie {y} {p} wird|{n} ({m})|{c} {name}|{n}, {a} {m}"""
LABELS: Mapping[str, str] = {
    "overview": "Übersicht",
    "notes": "Notizen",
    "ideas": "Ideen",
    "journal": "Tagebuch",
    "people": "Menschen",
    "meeting": "Besprechung",
    "project": "Projekt",
    "projects": "Projekte",
    "templates": "Vorlagen",
    "sources": "Bücher & Quellen",
    "decision": "Entscheidung",
    "see_also": "Siehe auch",
    "unassigned": "Unzugeordnete Kanten",
    "smart": "Smart Edges",
    "copy": "Kopie",
}
