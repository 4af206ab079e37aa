package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
)

// A mutant is the package with one small change, such as a different operator.
type mutant struct {
	number int // from 1
	at     token.Position
	change string // such as "< to <="
}

// place returns the line that a mutant changes.
func (m mutant) place() place { return place{filepath.Base(m.at.Filename), m.at.Line} }

// A rewriter replaces the operators in a file, and other small parts, with calls that act differently if a mutant is
// active. A rewriter never adds or removes lines, so line numbers stay the same.
type rewriter struct {
	kinds   kind
	files   *token.FileSet
	pkg     *types.Package
	info    *types.Info
	mutants []mutant // in all files so far
	skipped int      // operators that cannot be replaced

	// The following fields are the state for the current file.
	edits      []edit
	qualifiers map[*types.Package]string // the names of imported packages; "" for the package itself
}

// An edit replaces some bytes in a file.
type edit struct {
	offset, length int
	text           string
	rank, order    int // order edits at the same offset: ends come before starts
}

const (
	rankEnd = iota
	rankOperator
	rankStart
)

// rewrite returns the source of a file with all of its mutants.
func (r *rewriter) rewrite(file *ast.File, source []byte) []byte {
	r.edits = nil
	r.qualifiers = map[*types.Package]string{r.pkg: ""}
	for _, spec := range file.Imports {
		if name := r.info.PkgNameOf(spec); name != nil {
			r.qualifiers[name.Imported()] = name.Name()
		}
	}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if r.needsConstant(n, stack) {
			r.skipAll(n)
			return false
		}
		r.visit(n, stack)
		return true
	})
	slices.SortStableFunc(r.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order))
	})
	return apply(r.edits, source)
}

func apply(edits []edit, source []byte) []byte {
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(out, source[done:e.offset]...)
		out = append(out, e.text...)
		done = e.offset + e.length
	}
	return append(out, source[done:]...)
}

// visit rewrites a node.
func (r *rewriter) visit(n ast.Node, stack []ast.Node) {
	if s, ok := n.(ast.Stmt); ok && r.kinds&drops != 0 {
		r.dropped(s, stack)
	}
	if r.kinds&constants != 0 {
		r.constant(n, stack)
	}
	if call, ok := n.(*ast.CallExpr); ok && r.kinds&copies != 0 {
		r.copied(call)
	}
	if call, ok := n.(*ast.CallExpr); ok && r.kinds&ranks != 0 {
		r.ranked(call)
	}
	if literal, ok := n.(*ast.CompositeLit); ok && r.kinds&ranks != 0 {
		r.list(literal, stack)
	}
	if e, ok := n.(ast.Expr); ok && r.kinds&fixed != 0 {
		r.fix(e, stack)
	}
	if r.kinds&operators != 0 {
		r.operator(n, stack)
	}
	if e, ok := n.(ast.Expr); ok && r.kinds&conditions != 0 {
		r.condition(e, stack)
	}
}

// operator rewrites the operator of a node.
func (r *rewriter) operator(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		r.binary(n)
	case *ast.AssignStmt:
		r.assignment(n)
	case *ast.IncDecStmt:
		r.step(n)
	case *ast.BranchStmt:
		r.branch(n, stack)
	}
}

// needsConstant reports whether the language requires a node to be constant, in which case a call would not compile.
func (r *rewriter) needsConstant(n ast.Node, stack []ast.Node) bool {
	if d, ok := n.(*ast.GenDecl); ok {
		return d.Tok == token.CONST
	}
	if len(stack) == 0 {
		return false
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.ArrayType:
		return n == parent.Len
	case *ast.KeyValueExpr: // [...]string{1 + 1: "b"}
		return n == parent.Key && len(stack) > 1 && r.isList(stack[len(stack)-2])
	}
	return false
}

// isList reports whether a node is an array or slice literal.
func (r *rewriter) isList(n ast.Node) bool {
	literal, ok := n.(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch r.info.TypeOf(literal).Underlying().(type) {
	case *types.Array, *types.Slice:
		return true
	}
	return false
}

// skipAll counts the operators in a node as skipped.
func (r *rewriter) skipAll(n ast.Node) {
	if r.kinds&operators == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok && r.info.Types[e].IsValue() {
			r.skipped++
		}
		return true
	})
}

// add adds a mutant and returns its number.
func (r *rewriter) add(at token.Pos, from, to string) int { return r.number(at, from+" to "+to) }

func (r *rewriter) number(at token.Pos, change string) int {
	n := len(r.mutants) + 1
	r.mutants = append(r.mutants, mutant{number: n, at: r.files.Position(at), change: change})
	return n
}

// around inserts text before and after a node. If several nodes start or end at the same place, around must be called for
// the outer node first.
func (r *rewriter) around(n ast.Node, before, after string) {
	order := len(r.edits)
	r.before(n, before)
	r.edits = append(r.edits, edit{offset: r.files.Position(n.End()).Offset, text: after, rank: rankEnd, order: -order})
}

// before inserts text before a node.
func (r *rewriter) before(n ast.Node, text string) {
	r.edits = append(r.edits, edit{offset: r.files.Position(n.Pos()).Offset, text: text, rank: rankStart, order: len(r.edits)})
}

// cut replaces the source between two positions.
func (r *rewriter) cut(from, to token.Pos, text string) {
	offset := r.files.Position(from).Offset
	r.edits = append(r.edits, edit{offset: offset, length: r.files.Position(to).Offset - offset, text: text, rank: rankOperator})
}

func (r *rewriter) replace(at token.Pos, op token.Token, text string) {
	r.edits = append(r.edits, edit{offset: r.files.Position(at).Offset, length: len(op.String()), text: text, rank: rankOperator})
}

// An other contains the function in package switches that replaces an operator, and the operator in the mutant.
type other struct {
	function string
	op       token.Token
}

var orders = map[token.Token]other{
	token.LSS: {"mutantLess", token.LEQ},
	token.LEQ: {"mutantLessEqual", token.LSS},
	token.GTR: {"mutantGreater", token.GEQ},
	token.GEQ: {"mutantGreaterEqual", token.GTR},
}

var negations = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

var arithmetic = map[token.Token]other{
	token.ADD:     {"mutantAdd", token.SUB},
	token.SUB:     {"mutantSub", token.ADD},
	token.MUL:     {"mutantMul", token.QUO},
	token.QUO:     {"mutantDiv", token.MUL},
	token.REM:     {"mutantRem", token.MUL},
	token.AND:     {"mutantAnd", token.OR},
	token.OR:      {"mutantOr", token.AND},
	token.XOR:     {"mutantXor", token.AND},
	token.AND_NOT: {"mutantAndNot", token.AND},
	token.SHL:     {"mutantShl", token.SHR},
	token.SHR:     {"mutantShr", token.SHL},
}

// assigned maps assignment operators such as += to their binary operators.
var assigned = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

func isShift(op token.Token) bool { return op == token.SHL || op == token.SHR }

func (r *rewriter) binary(e *ast.BinaryExpr) {
	switch {
	case !r.info.Types[e].IsValue() || r.isText(e): // a constraint such as ~int | ~string, or concatenated strings
	case e.Op == token.LAND || e.Op == token.LOR:
		r.logical(e)
	case e.Op == token.EQL || e.Op == token.NEQ:
		r.negate(e)
	case orders[e.Op].function != "":
		r.negate(e)
		r.call(e, orders[e.Op], r.operand(e))
	default:
		r.call(e, arithmetic[e.Op], r.info.TypeOf(e))
	}
}

// isText reports whether an expression is a string.
func (r *rewriter) isText(e ast.Expr) bool {
	basic, ok := r.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// operand returns the type of a comparison's operands.
func (r *rewriter) operand(e *ast.BinaryExpr) types.Type {
	if r.info.Types[e.X].Value != nil {
		return r.info.TypeOf(e.Y)
	}
	return r.info.TypeOf(e.X)
}

// call turns x + y into mutantAdd[int](1, x, y).
func (r *rewriter) call(e *ast.BinaryExpr, o other, operand types.Type) {
	basic, ok := operand.(*types.Basic)
	if ok && (basic.Info()&types.IsUntyped != 0 || isShift(e.Op) && basic.Info()&types.IsInteger == 0) {
		r.skipped++ // part of an untyped constant, whose type the whole expression determines; a shift could even become a float64
		return
	}
	n := r.add(e.OpPos, e.Op.String(), o.op.String())
	r.around(e, fmt.Sprintf("%s%s(%d, ", o.function, r.instance(operand), n), ")")
	r.replace(e.OpPos, e.Op, ",")
}

// instance returns a type as the type argument of a call, such as "[int]", or "" if the file cannot name the type, which the
// compiler then infers, except from constants.
func (r *rewriter) instance(operand types.Type) string {
	nameable := true
	name := types.TypeString(operand, func(pkg *types.Package) string {
		qualifier, ok := r.qualifiers[pkg]
		nameable = nameable && ok
		return qualifier
	})
	if !nameable {
		return ""
	}
	return "[" + name + "]"
}

// negate turns x == y into ((x == y) != mutantIs(1)).
func (r *rewriter) negate(e *ast.BinaryExpr) {
	n := r.add(e.OpPos, e.Op.String(), negations[e.Op].String())
	r.around(e, "((", fmt.Sprintf(") != mutantIs(%d))", n))
}

// logical turns x && y into (((x) != m) && ((y) != m)) != m, where m is mutantIs(1). By De Morgan's laws, the result equals x
// || y if m is true.
func (r *rewriter) logical(e *ast.BinaryExpr) {
	m := fmt.Sprintf(" != mutantIs(%d)", r.add(e.OpPos, e.Op.String(), negations[e.Op].String()))
	r.around(e, "((", ")"+m+")")
	r.around(e.X, "((", ")"+m+")")
	r.around(e.Y, "((", ")"+m+")")
}

// assignment turns x += y into mutantUpdate(mutantAdd, 1, 2, &x, y).
func (r *rewriter) assignment(s *ast.AssignStmt) {
	op, ok := assigned[s.Tok]
	switch {
	case !ok:
	case !r.addressable(s.Lhs[0]):
		r.skipped++
	case isShift(op):
		n := r.add(s.TokPos, s.Tok.String(), arithmetic[op].op.String()+"=")
		r.update(s, "mutantShift(%s, %d, &", arithmetic[op].function, n)
		r.replace(s.TokPos, s.Tok, ",")
	default:
		function, n := "mutantJoin", 0
		if !r.isText(s.Lhs[0]) {
			function, n = arithmetic[op].function, r.add(s.TokPos, s.Tok.String(), arithmetic[op].op.String()+"=")
		}
		r.update(s, "mutantUpdate(%s, %d, %d, &", function, n, r.add(s.TokPos, s.Tok.String(), "="))
		r.replace(s.TokPos, s.Tok, ",")
	}
}

func (r *rewriter) update(s ast.Stmt, format string, arguments ...any) {
	r.around(s, fmt.Sprintf(format, arguments...), ")")
}

// step turns x++ into mutantUpdate(mutantAdd, 1, 0, &x, 1).
func (r *rewriter) step(s *ast.IncDecStmt) {
	op, opposite := token.ADD, token.DEC
	if s.Tok == token.DEC {
		op, opposite = token.SUB, token.INC
	}
	if !r.addressable(s.X) {
		r.skipped++
		return
	}
	r.update(s, "mutantUpdate(%s, %d, 0, &", arithmetic[op].function, r.add(s.TokPos, s.Tok.String(), opposite.String()))
	r.replace(s.TokPos, s.Tok, ", 1")
}

// addressable reports whether the left side of an assignment is addressable. Only map elements are not addressable.
func (r *rewriter) addressable(e ast.Expr) bool {
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return true
	}
	_, isMap := r.info.TypeOf(index.X).Underlying().(*types.Map)
	return !isMap
}

// branch turns break into if mutantIs(1) { continue }; break, and vice versa, if both compile.
func (r *rewriter) branch(s *ast.BranchStmt, stack []ast.Node) {
	opposites := map[token.Token]token.Token{token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK}
	opposite, ok := opposites[s.Tok]
	if !ok || !mayTurn(s, stack) {
		return
	}
	n := r.add(s.TokPos, s.Tok.String(), opposite.String())
	label := ""
	if s.Label != nil {
		label = " " + s.Label.Name
	}
	r.around(s, fmt.Sprintf("if mutantIs(%d) { %s%s }; ", n, opposite, label), "")
}

// mayTurn reports whether a break may become a continue, or the reverse. A continue must be in a loop that can also end in a
// different way, because a function may lack a return after an endless loop.
func mayTurn(s *ast.BranchStmt, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		if s.Label != nil {
			labeled, ok := n.(*ast.LabeledStmt)
			if !ok || labeled.Label.Name != s.Label.Name {
				continue
			}
			n = labeled.Stmt
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			return true
		case *ast.ForStmt:
			return s.Tok == token.BREAK || n.Cond != nil
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
		if s.Label != nil {
			return false // a labeled switch
		}
	}
	return false
}
