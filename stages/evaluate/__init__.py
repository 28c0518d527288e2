"""The evaluation stages: trained networks and digits in; noise/, sensitivity/, solvers/ and uncertainty/ out."""
