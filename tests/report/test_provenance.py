"""What manifests say about the making of the stores."""

import json
import shutil

from stages.report import provenance
from stages.storage import stores


def test_networks_that_were_evaluated_with_rounded_weights_are_named(results, config, tmp_path):
    results = shutil.copytree(results, tmp_path / "smoke")
    assert provenance.collect(results, config)["on_rounded"] == []
    for name in ("noise/ncg_l2_tanh/run1", "attack/cw/ncg_l2_tanh/run1", "noise/sgd_ce_relu/run0"):
        path = stores.manifest_path(results / f"{name}.zarr")
        extracts = {"network": "of the weights"} if "ncg" in name else {"digits": "of the images"}
        path.write_text(json.dumps(json.loads(path.read_text()) | {"input_extracts": extracts}))
    assert provenance.collect(results, config)["on_rounded"] == ["ncg_l2_tanh/run1"]
