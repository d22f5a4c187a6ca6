"""Orders of the points along both edges of the matrix.

An order is a permutation of positions: ``M[order.positions][:, order.positions]`` is the
sorted matrix. It is applied only when something is drawn or exported; ids and selections
always mean original positions.
"""

from stiknn_core.ordering.order import ORDER_TITLES, Block, Order, OrderName
from stiknn_core.ordering.orders import (
    MAX_CLUSTERED,
    ORDERS,
    input_order,
    leaf_order,
    order_points,
    paper_order,
    value_order,
)

__all__ = [
    "MAX_CLUSTERED",
    "ORDERS",
    "ORDER_TITLES",
    "Block",
    "Order",
    "OrderName",
    "input_order",
    "leaf_order",
    "order_points",
    "paper_order",
    "value_order",
]
