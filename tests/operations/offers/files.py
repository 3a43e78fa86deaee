"""Files of what a company offers."""

GROUND = """
[[shipping_methods]]
id = "ground"
name = "B2B-Ground"
price = 14.50
free_from = 500
countries = ["CA", "US"]
"""
PREMIUM = """
[[plans]]
slug = "premium_prepaid"
[plans.prices]
msrp = { month_to_month = 10, 1_year = 100.00 }
dealer-1 = { 1_year = 80.00 }
"""
COUPON = """
[[coupons]]
code = "WINTER10"
description = "10 % off"
percent = 10
"""
OFFERS = GROUND + PREMIUM + COUPON
