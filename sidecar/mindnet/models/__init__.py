"""Language models behind one port: Ollama, servers that speak the OpenAI protocol, a GGUF file."""
