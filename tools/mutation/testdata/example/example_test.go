package example

import "testing"

func TestLarger(t *testing.T) {
	t.Run("first", func(t *testing.T) {
		if Larger(4, 3) != 4 {
			t.Error("wrong")
		}
	})
	t.Run("second", func(t *testing.T) {
		if Larger(1, 2) != 2 {
			t.Error("wrong")
		}
	})
}

func TestSum(t *testing.T) {
	if Sum([]int{1, 2, 3}) != 6 {
		t.Error("wrong")
	}
}

func TestBetween(t *testing.T) {
	if !Between(2, 1, 3) || Between(4, 1, 3) || Between(0, 1, 3) {
		t.Error("wrong")
	}
}

func TestNot(t *testing.T) {
	if !Not(false) {
		t.Error("wrong")
	}
}
