module github.com/calrules/calrules/examples/rtdb-jwt

go 1.26.0

require (
	github.com/calrules/calrules v0.0.0
	github.com/golang-jwt/jwt/v5 v5.3.1
)

replace github.com/calrules/calrules => ../..
