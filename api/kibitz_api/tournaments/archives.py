"""The archive of a tournament as a file to download."""

import threading

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from kibitz_worker.archiving import check_over, write_archive
from kibitz_worker.pruning.archived import archive_path, archives_folder

from kibitz_api.context import ReadSession, ServicesDep
from kibitz_api.limits import Rate
from kibitz_api.tournaments import queries
from kibitz_api.tournaments.routes import TournamentId

api = APIRouter(prefix="/tournaments", tags=["tournaments"])

ARCHIVES = Rate(burst=20, per_second=0.2)
_one_at_a_time = threading.Lock()


@api.get("/{tournament_id}/archive", response_class=FileResponse)
def download_archive(
    request: Request, services: ServicesDep, session: ReadSession, tournament_id: TournamentId
) -> FileResponse:
    """Everything that is needed to check a tournament which is over: `kibitz verify --tournament`.

    A zip with the secret and its commitment, entrants and nonces, all sets with their records, and
    the standings.
    """
    services.limiter.check(request, "archives", ARCHIVES)
    tournament = queries.find(session, tournament_id)
    check_over(session, tournament)
    done = queries.set_counts(session, [tournament]).get(tournament.id, {})
    path = archive_path(
        archives_folder(services.settings.data_dir),
        tournament.id,
        {str(state): count for state, count in done.items()},
    )
    with _one_at_a_time:
        if not path.exists():
            write_archive(session, tournament, path)
    name = f"kibitz-{tournament.id}.zip"
    return FileResponse(path, media_type="application/zip", filename=name)
