"""A dense network as an ONNX file: images (sample, pixel) in, class scores (sample, class) out. Needs the package onnx.

import onnxruntime
session = onnxruntime.InferenceSession("ncg_ce_relu.onnx")
scores, = session.run(None, {"images": images})          # float32, from 0 to 1, as small as the network takes them
"""

import numpy as np

from stages.runtime.errors import UserError
from stages.storage.whole_files import replacing_file

ACTIVATIONS = {"relu": "Relu", "tanh": "Tanh"}
OPSET, IR_VERSION = 17, 8  # from 2022: old enough for most tools that read ONNX


def write(path, tensors, about):
    """Write a network with weights W (layer, out, in) and biases b (layer, out); about: from export_network."""
    W, b = tensors["W"], tensors["b"]
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as problem:
        raise UserError(f"{path}: an ONNX file wants the package onnx ({problem}); pip install onnx") from None
    operator = ACTIVATIONS.get(about["activation"])
    if operator is None:
        known = ", ".join(ACTIVATIONS)
        raise UserError(f"{path}: wanted a network of {known} for ONNX, found {about['activation']}; export it as NPZ")
    constants = {"h": np.float32(about["interval"] / len(W)), "from": np.array([0]), "to": np.array([about["classes"]])}
    constants |= {"axis": np.array([1])}
    nodes, x, own_scores = [], "images", about["classes"] if about.get("scores") == "own" else 0

    def node(kind, inputs, output, **more):
        nodes.append(helper.make_node(kind, inputs, [output], **more))
        return output

    if "ink" in about:
        constants |= {"ink": np.float32(about["ink"])}
        x = node("Mul", [x, "ink"], "inked")
    if own_scores:  # they start at zero, before the pixels
        constants |= {"zeros": np.array([0, own_scores, 0, 0])}
        x = node("Pad", [x, "zeros"], "x")
    for layer, weights in enumerate(W):
        constants |= {f"W{layer}": weights, f"b{layer}": b[layer]}
        a = node("Gemm", [x, f"W{layer}", f"b{layer}"], f"a{layer}", transB=1)
        step = node("Mul", [node(operator, [a], f"s{layer}"), "h"], f"step{layer}")
        x = node("Add", [x, step], f"x{layer}")
    node("Slice", [x, "from", "to", "axis"], "scores")
    inputs = [helper.make_tensor_value_info("images", TensorProto.FLOAT, ["sample", W.shape[-1] - own_scores])]
    outputs = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["sample", about["classes"]])]
    values = [numpy_helper.from_array(np.asarray(each), name) for name, each in constants.items()]
    graph = helper.make_graph(nodes, about["name"], inputs, outputs, values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    with replacing_file(path) as file:
        file.write(model.SerializeToString())
