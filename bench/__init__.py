"""The benchmarks behind the figures in the README; `./dev bench` runs them."""
