"""Writes the network of multilingual-e5-small as an ONNX file that computes with whole numbers.

It is a BERT encoder (Devlin et al., 2019): embeddings, and layers of attention and of two multiplications, each with
the input added and normalised. The vocabulary's vectors stay in the 4 bits in which they come. The matrices become
whole numbers of 7 bits, and what is multiplied with them of 8 while it flows through: that takes half of the time, and
less for a question. Eight bits for the matrices would be too many for processors that add two products of bytes in 16.

One number that is far larger than the others would leave these few steps. So each column of what is multiplied is
divided by about its reach, and the matrix multiplied by it (SmoothQuant: Xiao et al., 2023); the reach is reckoned from
the weights before it. The widest activations also have each token divided by its own largest number.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from mindnet.embedding.e5.carried import GROUP, CarriedModel
from mindnet.embedding.e5.dense import Dense, Floats, Normalised

_OPSET, _IR = 21, 10
_OWN = "com.microsoft"
"""The domain of onnxruntime's own operators."""
FIRST = "emb.ln"
"""The normalisation before the first layer."""
HEARD, ACTIVATED = 1.5, 2.0
"""Standard deviations that reach about as far as most of what is heard, which is a mean, and of what is activated."""
LEAST_ACTIVATED = 0.2
"""What is hardly ever activated is still rounded with the rest."""


def write_graph(model: CarriedModel, file: Path) -> None:
    """The graph takes ``input_ids`` and ``attention_mask``, shape (texts, tokens), and gives ``last_hidden_state``."""
    graph = _Graph(model)
    onnx.save(graph.build(), file)


class _Graph:
    def __init__(self, model: CarriedModel) -> None:
        self._model = model
        self._shape = model.shape
        self._nodes: list[onnx.NodeProto] = []
        self._values: dict[str, TensorProto] = {}

    def build(self) -> onnx.ModelProto:
        state = self._embeddings()
        mask = self._node("Cast", ["attention_mask"], to=TensorProto.INT32)
        before = FIRST
        for number in range(self._shape.layers):
            state = self._layer(f"l{number}", state, before, mask)
            before = f"l{number}.oln"
        self._nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
        sizes = ["texts", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info(name, TensorProto.INT64, sizes) for name in ("input_ids", "attention_mask")],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*sizes, self._shape.width])],
            list(self._values.values()),
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
        used = self._node("Slice", [self._value("places", places), self._axis("first", 0), length])
        used = self._node("Unsqueeze", [used, self._axis("first", 0)])
        texts = self._node("Shape", [words])
        used = self._node("Expand", [used, texts])
        return self._added(words, used, FIRST)

    def _layer(self, name: str, state: str, before: str, mask: str) -> str:
        """The layer ``name``; ``before`` names the normalisation that ``state`` comes from."""
        width, inner = self._shape.width, self._shape.inner
        query, key, value, out = (self._dense(f"{name}.{part}", width, width) for part in ("q", "k", "v", "ao"))
        # What is heard is a mean of values in each column, so these are divided where they are made.
        factors = out.factors(HEARD * value.spread(self._normalised(before)) + np.abs(value.bias))
        asking, out = query.above(key, value.divided(factors)), out.of_divided(factors)
        parts = self._split(self._even(f"{name}.qkv", asking, state, self._normalised(before).reach), 3)
        heard = self._node("MultiHeadAttention", [*parts, "", mask], domain=_OWN, num_heads=self._shape.heads)
        state = self._added(self._times(f"{name}.ao", out, heard), state, f"{name}.aln")
        normal = self._normalised(f"{name}.aln")
        wide, narrow = self._dense(f"{name}.fi", inner, width), self._dense(f"{name}.fo", width, inner)
        activated = self._node("Gelu", [self._even(f"{name}.fi", wide, state, normal.reach)])
        reach = np.maximum(ACTIVATED * wide.spread(normal) + wide.bias, LEAST_ACTIVATED)
        return self._added(self._even(f"{name}.fo", narrow, activated, reach, by_token=True), state, f"{name}.oln")

    def _dense(self, name: str, outputs: int, inputs: int) -> Dense:
        numbers, scales = self._model.quarters(f"{name}.w", outputs, inputs)
        blocks = numbers.reshape(outputs, inputs // GROUP, GROUP).astype(np.float32) - 8
        return Dense((blocks * scales[..., None]).reshape(outputs, inputs), self._model.floats(f"{name}.b", outputs))

    def _normalised(self, name: str) -> Normalised:
        width = self._shape.width
        return Normalised(self._model.floats(f"{name}.w", width), self._model.floats(f"{name}.b", width))

    def _even(self, name: str, dense: Dense, state: str, reach: Floats, *, by_token: bool = False) -> str:
        """As ``_times``, with the columns of ``state`` evened, which reach about so far."""
        factors = dense.factors(reach)
        even = self._node("Mul", [state, self._value(f"{name}.even", 1 / factors)])
        return self._times(name, dense.of_divided(factors), even, by_token=by_token)

    def _times(self, name: str, dense: Dense, state: str, *, by_token: bool = False) -> str:
        """``state``, rounded to whole numbers, times the matrix, plus its bias.

        ``by_token``: each token's numbers are divided by the largest of them meanwhile.
        """
        weights, scales = dense.whole()
        matrix = self._value(f"{name}.w", weights.T)
        zeros = self._value(f"{name}.zeros", np.zeros(len(scales), np.int8))
        fixed, bias = [matrix, self._value(f"{name}.scales", scales), zeros], self._value(f"{name}.b", dense.bias)
        if not by_token:
            return self._node("DynamicQuantizeMatMul", [state, *fixed, bias], domain=_OWN)
        largest = self._node("ReduceMax", [self._node("Abs", [state]), self._axis("last", -1)], keepdims=1)
        product = self._node("DynamicQuantizeMatMul", [self._node("Div", [state, largest]), *fixed], domain=_OWN)
        return self._node("Add", [self._node("Mul", [product, largest]), bias])

    def _added(self, one: str, other: str, name: str) -> str:
        """The sum, normalised to the mean and spread that the model learnt."""
        normal = self._normalised(name)
        values = [self._value(f"{name}.w", normal.weight), self._value(f"{name}.b", normal.bias)]
        # One operator would do both, and takes four times as long.
        total = self._node("Add", [one, other])
        return self._node("LayerNormalization", [total, *values], axis=-1, epsilon=self._shape.epsilon)

    # ------------------------------------------------------------------ nodes and values
    def _node(self, kind: str, inputs: Sequence[str], domain: str = "", **attributes: float) -> str:
        output = f"{len(self._nodes)}.{kind}"
        self._nodes.append(helper.make_node(kind, inputs, [output], None, None, domain, None, **attributes))
        return output

    def _split(self, state: str, parts: int) -> list[str]:
        names = [f"{state}.{part}" for part in range(parts)]
        self._nodes.append(helper.make_node("Split", [state], names, axis=-1, num_outputs=parts))
        return names

    def _value(self, name: str, array: NDArray[np.generic]) -> str:
        self._values[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def _axis(self, name: str, axis: int) -> str:
        return self._value(name, np.array([axis], np.int64))

    def _signed(self, name: str, numbers: NDArray[np.uint8]) -> str:
        """Numbers of 4 bits as -8..7, two to a byte."""
        flat = (numbers.reshape(-1, 2) ^ 8).astype(np.uint8)
        packed = flat[:, 0] | flat[:, 1] << 4
        self._values[name] = helper.make_tensor(name, TensorProto.INT4, numbers.shape, packed.tobytes(), raw=True)
        return name
