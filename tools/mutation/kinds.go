package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A kind is a set of mutant kinds.
type kind uint

const (
	operators kind = 1 << iota // < becomes <=
	constants                  // 1 becomes 2, and an enumeration constant becomes the next one
	copies                     // slices.Clone(x) becomes x
	drops                      // a call with an unused result, or an append, is omitted
	ranks                      // a comparison is reversed, and adjacent names in a list are swapped
	fixed                      // a condition is always true or always false
	allKinds       = 1<<iota - 1
	// conditions is not a kind of mutant, but records whether each condition was ever true and ever false.
	conditions kind = 1 << iota
)

var kindNames = map[string]kind{
	"operators": operators, "constants": constants, "copies": copies, "drops": drops, "ranks": ranks, "fixed": fixed, "all": allKinds,
	"conditions": conditions,
}

func parseKinds(list string) (kind, error) {
	var k kind
	for _, name := range split(list) {
		if kindNames[name] == 0 {
			return 0, fmt.Errorf("%s is not a kind of mutants", name)
		}
		k |= kindNames[name]
	}
	if k&conditions != 0 && k != conditions {
		return 0, fmt.Errorf("conditions are no mutants, so they are recorded alone")
	}
	return k, nil
}

// constant turns 5 into mutantNext[int](1, 5), and an enumeration constant such as red into mutantOther[color](1, red, 2).
func (r *rewriter) constant(n ast.Node, stack []ast.Node) {
	e, ok := n.(ast.Expr)
	if !ok || !r.isWhole(e, stack) {
		return
	}
	t := r.info.TypeOf(e)
	instance := r.instance(t)
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsUntyped != 0 || instance == "" {
		return
	}
	if next := nextOf(t, r.info.Types[e].Value); next != nil {
		n := r.add(e.Pos(), types.ExprString(e), next.Name())
		r.around(e, fmt.Sprintf("mutantOther%s(%d, ", instance, n), ", "+next.Val().ExactString()+")")
	} else if _, isTypeParameter := t.(*types.TypeParam); basic.Info()&types.IsInteger != 0 && !isTypeParameter {
		n := r.add(e.Pos(), types.ExprString(e), types.ExprString(e)+"+1")
		r.around(e, fmt.Sprintf("mutantNext%s(%d, ", instance, n), ")")
	}
}

// isWhole reports whether an expression is a signed number, or the possibly qualified name of a constant, and may become a
// call. Operands of a constant shift must not become calls.
func (r *rewriter) isWhole(e ast.Expr, stack []ast.Node) bool {
	if r.info.Types[e].Value == nil || len(stack) == 0 || isNumber(stack[len(stack)-1]) {
		return false
	}
	if s, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && s.Sel == e {
		return false
	}
	for _, n := range stack {
		if shift, ok := n.(*ast.BinaryExpr); ok && isShift(shift.Op) && r.info.Types[shift].Value != nil {
			return false
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		_, ok := r.info.Uses[e].(*types.Const)
		return ok
	case *ast.SelectorExpr:
		_, ok := r.info.Uses[e.Sel].(*types.Const)
		return ok
	}
	return isNumber(e)
}

// isNumber reports whether a node is an integer such as 1 or -1.
func isNumber(n ast.Node) bool {
	if sign, ok := n.(*ast.UnaryExpr); ok && sign.Op == token.SUB {
		n = sign.X
	}
	literal, ok := n.(*ast.BasicLit)
	return ok && literal.Kind == token.INT
}

// nextOf returns the constant of a named type with the next larger value or, after the largest value, with the smallest. Only
// constants in the package of the type are considered; the result is nil if there are no other constants.
func nextOf(t types.Type, value constant.Value) *types.Const {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || value.Kind() == constant.Bool {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	var others []*types.Const
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) && !constant.Compare(c.Val(), token.EQL, value) {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return nil
	}
	isSmaller := func(c *types.Const) bool { return constant.Compare(c.Val(), token.LSS, value) }
	return slices.MinFunc(others, func(a, b *types.Const) int {
		if isSmaller(a) != isSmaller(b) {
			return map[bool]int{true: 1, false: -1}[isSmaller(a)]
		}
		if constant.Compare(a.Val(), token.LSS, b.Val()) {
			return -1
		}
		return 1
	})
}

// copied turns slices.Clone(x) into mutantCopy(1, slices.Clone, x), and x.Clone() into
// mutantCopy(1, func(x T) T { return x.Clone() }, x).
func (r *rewriter) copied(call *ast.CallExpr) {
	function, name := r.callee(call)
	if !slices.Contains([]string{"Clone", "Clip", "Copy"}, name) || function.Signature().Results().Len() != 1 {
		return
	}
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	switch {
	case function.Signature().Recv() == nil && len(call.Args) == 1:
		if r.returns(call, call.Args[0]) {
			n := r.add(call.Pos(), name, "its argument")
			r.before(call, fmt.Sprintf("mutantCopy(%d, ", n))
			r.replace(call.Lparen, token.LPAREN, ", ")
		}
	case isSelector && len(call.Args) == 0 && r.returns(call, selector.X):
		if t := strings.Trim(r.instance(r.info.TypeOf(call)), "[]"); t != "" {
			n := r.add(selector.Sel.Pos(), name, "its receiver")
			r.before(call, fmt.Sprintf("mutantCopy(%d, func(x %s) %[2]s { return x.%s() }, ", n, t, name))
			r.cut(selector.X.End(), call.End(), ")")
		}
	}
}

// callee returns the called function or method and its name, or nil and "" if the call has a different form.
func (r *rewriter) callee(call *ast.CallExpr) (*types.Func, string) {
	var name *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil, ""
	}
	if f, ok := r.info.Uses[name].(*types.Func); ok {
		return f, f.Name()
	}
	return nil, ""
}

// returns reports whether the result of a call has the same type as an expression.
func (r *rewriter) returns(call, e ast.Expr) bool {
	return types.Identical(r.info.TypeOf(call), r.info.TypeOf(e))
}

// dropped turns a statement s into if !mutantIs(1) { s }.
func (r *rewriter) dropped(s ast.Stmt, stack []ast.Node) {
	from := "call"
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); !ok || r.isBuiltin(call, "panic") {
			return
		}
	case *ast.AssignStmt:
		if from = "append"; !r.isAppend(s) {
			return
		}
	default:
		return
	}
	isStatement := false
	switch parent := stack[len(stack)-1].(type) {
	case *ast.BlockStmt:
		isStatement = true
	case *ast.CaseClause:
		isStatement = true
	case *ast.CommClause:
		isStatement = parent.Comm != s
	}
	if isStatement {
		n := r.add(s.Pos(), from, "nothing")
		r.around(s, fmt.Sprintf("if !mutantIs(%d) { ", n), " }")
	}
}

func (r *rewriter) isBuiltin(call *ast.CallExpr, name string) bool {
	f, ok := call.Fun.(*ast.Ident)
	if !ok || f.Name != name {
		return false
	}
	_, ok = r.info.Uses[f].(*types.Builtin)
	return ok
}

// isAppend reports whether a statement has the form x = append(x, y).
func (r *rewriter) isAppend(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Rhs) != 1 {
		return false
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	return ok && r.isBuiltin(call, "append") && types.ExprString(call.Args[0]) == types.ExprString(s.Lhs[0])
}

// ranked turns a call to any function named Compare into mutantReverse(1, Compare(x, y)), and cmp.Or(x, y) into
// mutantFirst[int](1, cmp.Or, x, y), which swaps the first two arguments.
func (r *rewriter) ranked(call *ast.CallExpr) {
	function, name := r.callee(call)
	switch {
	case name == "Compare" && types.Identical(r.info.TypeOf(call), types.Typ[types.Int]):
		r.around(call, fmt.Sprintf("mutantReverse(%d, ", r.add(call.Pos(), "order", "its reverse")), ")")
	case name == "Or" && function.Pkg().Path() == "cmp" && len(call.Args) > 1:
		if instance := r.instance(r.info.TypeOf(call)); instance != "" {
			r.before(call, fmt.Sprintf("mutantFirst%s(%d, ", instance, r.add(call.Pos(), "first argument", "second one")))
			r.replace(call.Lparen, token.LPAREN, ", ")
		}
	}
}

// list turns []T{a, b, c} into mutantOrder(1, []T{a, b, c}), which swaps two adjacent elements.
func (r *rewriter) list(literal *ast.CompositeLit, stack []ast.Node) {
	_, isSlice := r.info.TypeOf(literal).Underlying().(*types.Slice)
	_, isOperand := stack[len(stack)-1].(*ast.UnaryExpr) // &[]T{} is valid, but the address of a call is not
	isOther := func(e ast.Expr) bool { return !isName(e) }
	if !isSlice || isOperand || literal.Type == nil || len(literal.Elts) < 2 || slices.ContainsFunc(literal.Elts, isOther) {
		return
	}
	first := 0
	for i, e := range literal.Elts[1:] {
		n := r.add(e.Pos(), types.ExprString(literal.Elts[i]), types.ExprString(e))
		first = cmp.Or(first, n)
	}
	r.around(literal, fmt.Sprintf("mutantOrder(%d, ", first), ")")
}

// isName reports whether an expression is a name such as x, p.x or &x.
func isName(e ast.Expr) bool {
	if address, ok := e.(*ast.UnaryExpr); ok && address.Op == token.AND {
		e = address.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		e = s.X
	}
	_, ok := e.(*ast.Ident)
	return ok
}

// fix turns a condition c into mutantFixed(1, 2, c). A loop condition is never fixed to true, because few such loops end.
func (r *rewriter) fix(e ast.Expr, stack []ast.Node) {
	if !r.isCondition(e, stack) {
		return
	}
	text, isTrue := types.ExprString(e), 0
	if !isLoop(stack) {
		isTrue = r.add(e.Pos(), text, "true")
	}
	isFalse := r.add(e.Pos(), text, "false")
	r.around(e, fmt.Sprintf("mutantFixed%s(%d, %d, ", r.booleans(e), isTrue, isFalse), ")")
}

// isLoop reports whether the expression below a stack of nodes is a loop condition or part of one.
func isLoop(stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n.(type) {
		case *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr:
		case *ast.ForStmt:
			return true
		default:
			return false
		}
	}
	return false
}
