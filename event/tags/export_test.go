package tags

// ModelTags returns the tags of the fields of the model, by struct and field.
var ModelTags = modelTags
