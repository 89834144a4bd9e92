"""placeholder"""

from fastapi import APIRouter

api = APIRouter()
pages = APIRouter()
