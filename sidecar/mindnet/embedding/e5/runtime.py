"""Runs multilingual-e5-small from the folder that was made for it.

Not with fastembed: it would take three times as long to be ready, mostly for reading the vocabulary in another form.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from sentencepiece import SentencePieceProcessor

from mindnet.embedding.e5.carried import MODEL_FILE, PIECES_FILE, TOKENS
from mindnet.embedding.port import Vectors
from mindnet.embedding.words import whole


class Runtime:
    """The model in memory, on one thread for each who asks. Raises ``OSError`` and ``RuntimeError``."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
        )
        self._pieces = SentencePieceProcessor(model_file=str(folder / PIECES_FILE))

    def embed_passage(self, text: str) -> Vectors:
        """The mean of what the model says of each token, as it was trained; shape (384,)."""
        return self._embed(text)

    def embed_query(self, text: str) -> Vectors:
        return self._embed(text)

    def count(self, text: str) -> int:
        """The text's tokens, without those that begin and end every text."""
        return len(self._pieces.encode(whole(text)))

    def _embed(self, text: str) -> Vectors:
        pieces = self._pieces
        ids = [pieces.bos_id(), *pieces.encode(text)[: TOKENS - 2], pieces.eos_id()]
        tokens = np.array([ids], np.int64)
        (state,) = self._session.run(None, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
        mean: Vectors = state[0].mean(axis=0)
        return mean
