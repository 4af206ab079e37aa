package limits

var table = []Limit{}
