"""The evaluation stages: trained networks and digits in; noise/, sensitivity/ and solvers/ out."""
