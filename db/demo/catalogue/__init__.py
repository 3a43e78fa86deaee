"""The invented articles, their prices and coupons."""
