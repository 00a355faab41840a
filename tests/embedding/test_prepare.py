"""A model that is loaded ahead, and a process that ends before it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from carriedmodels import e5_is_carried, model_caches
from mindnet.embedding.local import CACHE
from serving import environment

ENDING = """
import atexit, sys
from mindnet.embedding.choice import Choice
from mindnet.embedding.load import load_model

model = load_model(Choice(sys.argv[1]))
# What is registered so is done when no thread is left that the end waits for.
atexit.register(lambda: print(model._loaded if sys.argv[1] == "bundled" else model._model is not None))
model.prepare()
"""


@pytest.mark.parametrize("provider", ["bundled", pytest.param("fastembed", marks=e5_is_carried)])
def test_a_process_that_ends_while_its_model_is_loaded_ends_in_order(
    provider: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Ended in the midst of it, the model's library aborts, and the exit code of an error is lost."""
    with model_caches(tmp_path_factory) as models:
        command = [sys.executable, "-c", ENDING, provider]
        env = environment(**{CACHE: str(models)})
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
