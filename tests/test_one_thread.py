"""A test process computes with one thread: two of them on each of four workers wait for each other most of the time."""

import numpy as np
import threadpoolctl


def test_matrix_products_have_one_thread():
    np.ones((2, 2)) @ np.ones((2, 2))
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    assert pools
    assert {pool["num_threads"] for pool in pools} == {1}
