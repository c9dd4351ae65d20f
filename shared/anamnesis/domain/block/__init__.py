"""The memory block: one turn's ordered text inside a fixed token budget (BL-1, BL-4 … BL-8)."""

from anamnesis.domain.block.bridge import bridge_assessment
from anamnesis.domain.block.composition import MIN_BUDGET_TOKENS, compose_block
from anamnesis.domain.block.material import Block, BlockMaterial, BlockWindow, LeftOut, Memory

__all__ = [
    "MIN_BUDGET_TOKENS",
    "Block",
    "BlockMaterial",
    "BlockWindow",
    "LeftOut",
    "Memory",
    "bridge_assessment",
    "compose_block",
]
