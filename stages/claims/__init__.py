"""The claims stage: what the paper says, judged from the stores."""
