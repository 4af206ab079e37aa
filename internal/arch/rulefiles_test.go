package arch

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/reference"
)

// TestRuleFiles holds the way from the id of a rule to its file. The rule time.order is in rules_time.go. A package with
// many rules of one first word, such as event.id.length, has those with a common second word in files of their own:
// rules_event_id.go. A hyphen becomes an underscore.
func TestRuleFiles(t *testing.T) {
	declared := map[string]string{} // the files of the rules by id
	rules := map[string][]string{}  // the ids of the rules by file
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, id := range declaredIDs(file) {
			if other, twice := declared[id]; twice {
				t.Errorf("the rule %s is in %s and in %s", id, other, name)
			}
			declared[id], rules[name] = name, append(rules[name], id)
		}
		if strings.HasPrefix(path.Base(name), "rules_") && rules[name] == nil {
			t.Errorf("%s has no rule", name)
		}
	})
	for _, r := range reference.Catalogue().Rules() {
		words := strings.Split(strings.ReplaceAll(r.ID, "-", "_"), ".")
		folder := path.Dir(declared[r.ID])
		want := path.Join(folder, "rules_"+words[0]+".go")
		if ofTwo := path.Join(folder, "rules_"+words[0]+"_"+words[1]+".go"); rules[ofTwo] != nil {
			want = ofTwo
		}
		if declared[r.ID] != want {
			t.Errorf("the rule %s is in %q, want %s", r.ID, declared[r.ID], want)
		}
	}
}

// declaredIDs returns the ids of the rules of the library that a file declares.
func declaredIDs(file *ast.File) (ids []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		rule, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if name, ok := rule.Type.(*ast.SelectorExpr); !ok || name.Sel.Name != "Rule" {
			return true
		}
		for _, field := range fields(rule, "ID") {
			if literal, ok := field.(*ast.BasicLit); ok {
				if id, err := strconv.Unquote(literal.Value); err == nil && reference.Catalogue().Lookup(id) != nil {
					ids = append(ids, id)
				}
			}
		}
		return true
	})
	return ids
}

// fields returns the values of the fields with a name in a literal.
func fields(literal *ast.CompositeLit, name string) (values []ast.Expr) {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				values = append(values, pair.Value)
			}
		}
	}
	return values
}

// TestChecks looks for the functions that check the rules of one file and are in another.
func TestChecks(t *testing.T) {
	functions := map[string]string{} // the files of the functions by folder and name
	checked := map[string][]string{} // the files of the rules that a function checks
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				functions[path.Join(path.Dir(name), f.Name.Name)] = name
			}
		}
		for _, check := range checks(file) {
			key := path.Join(path.Dir(name), check)
			if !slices.Contains(checked[key], name) {
				checked[key] = append(checked[key], name)
			}
		}
	})
	for function, at := range functions {
		if users := checked[function]; len(users) == 1 && users[0] != at {
			t.Errorf("%s is in %s, and the rules that it checks are in %s", path.Base(function), at, users[0])
		}
	}
}

// checks returns the names in the values of the fields Check.
func checks(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, check := range fields(literal, "Check") {
			ast.Inspect(check, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok {
					names = append(names, name.Name)
				}
				return true
			})
		}
		return true
	})
	return names
}
