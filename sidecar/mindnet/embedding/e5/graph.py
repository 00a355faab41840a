"""Writes the network of multilingual-e5-small as an ONNX file whose weights stay in 4 bits.

It is a BERT encoder (Devlin et al., 2019): embeddings, and layers of attention and of two multiplications, each with
the input added and normalised. onnxruntime has operators for these parts, and for matrices of 4 bits (MatMulNBits), so
that the graph is written with them at once instead of being found by an optimiser.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from mindnet.embedding.e5.carried import GROUP, CarriedModel

_OPSET, _IR = 21, 10
_OWN = "com.microsoft"
"""The domain of onnxruntime's own operators."""


def write_graph(model: CarriedModel, file: Path) -> None:
    """The graph takes ``input_ids`` and ``attention_mask``, shape (texts, tokens), and gives ``last_hidden_state``."""
    graph = _Graph(model)
    onnx.save(graph.build(), file)


class _Graph:
    def __init__(self, model: CarriedModel) -> None:
        self._model = model
        self._shape = model.shape
        self._nodes: list[onnx.NodeProto] = []
        self._values: list[TensorProto] = []

    def build(self) -> onnx.ModelProto:
        state = self._embeddings()
        mask = self._node("Cast", ["attention_mask"], to=TensorProto.INT32)
        for number in range(self._shape.layers):
            state = self._layer(f"l{number}.", state, mask)
        self._nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
        sizes = ["texts", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info(name, TensorProto.INT64, sizes) for name in ("input_ids", "attention_mask")],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*sizes, self._shape.width])],
            self._values,
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_OWN, 1)]
        return helper.make_model(graph, producer_name="mindnet", opset_imports=opsets, ir_version=_IR)

    # ------------------------------------------------------------------ parts
    def _embeddings(self) -> str:
        """The vectors of the tokens, and of their places, added and normalised."""
        shape = self._shape
        numbers, scales = self._model.quarters("emb.word", shape.vocabulary, shape.width)
        words = self._node(
            "GatherBlockQuantized",
            [self._signed("words", numbers), "input_ids", self._value("words.scales", scales)],
            domain=_OWN,
            gather_axis=0,
            quantize_axis=1,
            block_size=GROUP,
        )
        # Every text is of the same kind, so the vector of the kind goes to the places once and for all.
        places = self._model.floats("emb.pos", shape.positions, shape.width) + self._model.floats(
            "emb.type", shape.width
        )
        length = self._node("Shape", ["input_ids"], start=1, end=2)
        used = self._node("Slice", [self._value("places", places), self._value("first", np.zeros(1, np.int64)), length])
        used = self._node("Unsqueeze", [used, self._value("front", np.zeros(1, np.int64))])
        texts = self._node("Shape", [words])
        used = self._node("Expand", [used, texts])
        return self._added(words, used, "emb.ln")

    def _layer(self, prefix: str, state: str, mask: str) -> str:
        width, inner = self._shape.width, self._shape.inner
        query, key, value = (self._times(f"{prefix}{name}", state, width, width) for name in "qkv")
        heard = self._node(
            "MultiHeadAttention", [query, key, value, "", mask], domain=_OWN, num_heads=self._shape.heads
        )
        state = self._added(self._times(f"{prefix}ao", heard, width, width), state, f"{prefix}aln")
        wide = self._node("Gelu", [self._times(f"{prefix}fi", state, inner, width)])
        return self._added(self._times(f"{prefix}fo", wide, width, inner), state, f"{prefix}oln")

    def _times(self, name: str, state: str, rows: int, columns: int) -> str:
        """``state`` times the matrix, plus its bias."""
        numbers, scales = self._model.quarters(f"{name}.w", rows, columns)
        pairs = numbers.reshape(rows, columns // GROUP, GROUP // 2, 2)
        packed = pairs[..., 0] | pairs[..., 1] << 4
        inputs = [state, self._value(f"{name}.w", packed), self._value(f"{name}.scales", scales)]
        bias = self._value(f"{name}.b", self._model.floats(f"{name}.b", rows))
        return self._node(
            "MatMulNBits",
            [*inputs, "", "", bias],
            domain=_OWN,
            K=columns,
            N=rows,
            bits=4,
            block_size=GROUP,
        )

    def _added(self, one: str, other: str, name: str) -> str:
        """The sum, normalised to the mean and spread that the model learnt."""
        weight, bias = (
            self._value(f"{name}.{part}", self._model.floats(f"{name}.{part}", self._shape.width)) for part in "wb"
        )
        return self._node(
            "SkipLayerNormalization", [one, other, weight, bias], domain=_OWN, epsilon=self._shape.epsilon
        )

    # ------------------------------------------------------------------ nodes and values
    def _node(self, kind: str, inputs: Sequence[str], domain: str = "", **attributes: float) -> str:
        output = f"{len(self._nodes)}.{kind}"
        self._nodes.append(helper.make_node(kind, inputs, [output], None, None, domain, None, **attributes))
        return output

    def _value(self, name: str, array: NDArray[np.generic]) -> str:
        self._values.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _signed(self, name: str, numbers: NDArray[np.uint8]) -> str:
        """Numbers of 4 bits as -8..7, two to a byte."""
        flat = (numbers.reshape(-1, 2) ^ 8).astype(np.uint8)
        packed = flat[:, 0] | flat[:, 1] << 4
        self._values.append(helper.make_tensor(name, TensorProto.INT4, numbers.shape, packed.tobytes(), raw=True))
        return name
