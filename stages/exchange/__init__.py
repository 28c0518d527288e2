"""Networks to and from other tools: NPZ, safetensors and ONNX files, and a PyTorch module that reads them."""
