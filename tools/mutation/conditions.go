package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
)

// condition turns a condition c into mutantSeen(1, c), which reaches outcome 1 if c is true, and outcome 2 if c is false.
func (r *rewriter) condition(e ast.Expr, stack []ast.Node) {
	if !r.isCondition(e, stack) {
		return
	}
	n := r.number(e.Pos(), "never true")
	r.number(e.Pos(), "never false")
	r.around(e, fmt.Sprintf("mutantSeen%s(%d, ", r.booleans(e), n), ")")
}

// booleans returns the type of a condition as the type argument of a call, or "" if the condition is an untyped boolean.
func (r *rewriter) booleans(e ast.Expr) string {
	t := r.info.TypeOf(e)
	if types.Identical(t, types.Typ[types.UntypedBool]) {
		return ""
	}
	return r.instance(t)
}

// isCondition reports whether an expression is a comparison, or another boolean that selects a branch or is an operand of a
// logical operator. In a logical expression, only the operands are conditions.
func (r *rewriter) isCondition(e ast.Expr, stack []ast.Node) bool {
	t, ok := r.info.Types[e]
	if !ok || !t.IsValue() || t.Value != nil {
		return false
	}
	if basic, ok := t.Type.Underlying().(*types.Basic); !ok || basic.Info()&types.IsBoolean == 0 {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return false
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return false
		}
	case *ast.BinaryExpr:
		return e.Op != token.LAND && e.Op != token.LOR
	}
	return decides(e, stack)
}

// decides reports whether an expression selects a branch or is an operand of a logical operator.
func decides(e ast.Expr, stack []ast.Node) bool {
	i := len(stack) - 1
	for ; i > 0; i-- {
		outer, ok := stack[i].(*ast.ParenExpr)
		if !ok {
			break
		}
		e = outer
	}
	switch parent := stack[i].(type) {
	case *ast.UnaryExpr:
		return parent.Op == token.NOT
	case *ast.BinaryExpr:
		return parent.Op == token.LAND || parent.Op == token.LOR
	case *ast.IfStmt:
		return parent.Cond == e
	case *ast.ForStmt:
		return parent.Cond == e
	case *ast.CaseClause:
		s, ok := stack[i-2].(*ast.SwitchStmt) // two levels up, above the block with the cases
		return ok && s.Tag == nil && slices.Contains(parent.List, e)
	}
	return false
}

// cover runs all tests once and calls found with each outcome of a condition that never occurs in a test. Failing tests are
// included, because recording allocates, which may make allocation tests fail.
func (s *suite) cover(outcomes []mutant, found func(m mutant, fate string)) {
	os.Remove(s.trail)
	for _, tests := range byBinary(s.tests) {
		s.runAll(tests[0])
	}
	reached := s.readTrail()
	for _, m := range outcomes {
		if !reached[m.number] {
			found(m, "in no test")
		}
	}
}
