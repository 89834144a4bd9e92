"""Generate sdk/kibitz/v1 from proto/kibitz/v1: ``python proto/generate.py [--out DIR]``.

Needs grpcio-tools and mypy-protobuf. The result is committed; `./dev check` generates it anew into
a folder of its own and compares.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
SDK = PROTO.parent / "sdk"


def generate(out: Path) -> None:
    """Write ``kibitz/v1/*_pb2*.py`` and their stubs below ``out``, which must exist.

    Raises:
        SystemExit: protoc refused a file; it has said why on stderr.
    """
    plugins = Path(sys.executable).parent
    files = sorted(str(path) for path in PROTO.glob("kibitz/v1/*.proto"))
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--plugin=protoc-gen-mypy={plugins / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={plugins / 'protoc-gen-mypy_grpc'}",
            f"--python_out={out}",
            f"--mypy_out={out}",
            f"--grpc_python_out={out}",
            f"--mypy_grpc_out={out}",
            *files,
        ]
    )
    if status:
        raise SystemExit(status)
    for service in out.glob("kibitz/v1/*_pb2_grpc.py"):
        if not Path(PROTO, "kibitz/v1", service.name.replace("_pb2_grpc.py", ".proto")).is_file():
            continue
        if "class " not in service.read_text():  # a file without services
            service.unlink()
            service.with_suffix(".pyi").unlink(missing_ok=True)


def main() -> None:
    """Generate into sdk/, or where ``--out`` says."""
    parser = argparse.ArgumentParser(description="generate sdk/kibitz/v1 from proto/")
    parser.add_argument("--out", type=Path, default=SDK, help="folder that will hold kibitz/v1")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    generate(out)


if __name__ == "__main__":
    main()
