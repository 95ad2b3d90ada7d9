"""Schema documents: base URIs, identifiers and anchors, and what a reference points to."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from json_schema.naive.drafts import BY_URI, DRAFTS, LIST, NAMED, ONE, Draft

Schema = Any


class UnresolvableReference(ValueError):
    """A reference to something that is not there."""


def join(base: str, reference: str) -> str:
    """`urljoin` alone takes no fragment for a base such as a URN."""
    if not reference or reference.startswith("#"):
        return urldefrag(base)[0] + reference
    return urljoin(base, reference)


class Place:
    """A schema and where it stands: its resource's URI, its draft, its vocabularies."""

    def __init__(self, schema: Schema, base: str, draft: Draft, vocabularies: set[str] | None):
        self.schema, self.base, self.draft = schema, base, draft
        self.vocabularies = vocabularies

    def sub(self, schema: Schema, documents: "Documents") -> "Place":
        return documents.place(schema, self)


class Documents:
    """All documents by URI. Those of `remotes` are indexed when they are first asked for."""

    def __init__(self, remotes: Mapping[str, Schema], draft: Draft) -> None:
        self.remotes = {uri.rstrip("#"): schema for uri, schema in remotes.items()}
        self.default = draft
        self.resources: dict[str, Place] = {}
        self.anchors: dict[tuple[str, str], Place] = {}
        self.dynamic: dict[tuple[str, str], Place] = {}
        # By identity of the schema object, which the place keeps alive.
        self.places: dict[int, Place] = {}

    def add(self, uri: str, schema: Schema, draft: Draft) -> Place:
        found, vocabularies = self._dialect(schema, draft, None)
        place = Place(schema, uri, found, vocabularies)
        self.resources[uri] = place
        self._index(place)
        return self.places.get(id(schema), place) if isinstance(schema, dict) else place

    def place(self, schema: Schema, parent: Place) -> Place:
        """The place of a subschema; one that no keyword holds belongs to its parent's resource."""
        if not isinstance(schema, dict):
            return Place(schema, parent.base, parent.draft, parent.vocabularies)
        if id(schema) not in self.places:
            self._index(Place(schema, parent.base, parent.draft, parent.vocabularies))
        return self.places[id(schema)]

    def resolve(self, reference: str, base: str) -> Place:
        uri, fragment = urldefrag(join(base, reference))
        resource = self._resource(uri, reference)
        if fragment and not fragment.startswith("/"):
            anchor = self.anchors.get((resource.base, unquote(fragment)))
            anchor = anchor or self.anchors.get((uri, unquote(fragment)))
            if anchor is None:
                raise UnresolvableReference(reference)
            return anchor
        return self._pointer(resource, unquote(fragment), reference)

    def _resource(self, uri: str, reference: str) -> Place:
        if uri not in self.resources:
            if uri in self.remotes:
                return self.add(uri, self.remotes[uri], self.default)
            # A remote document may carry identifiers of its own below another name.
            for name, schema in list(self.remotes.items()):
                if name not in self.resources and uri.startswith(name.rsplit("/", 1)[0]):
                    self.add(name, schema, self.default)
        if uri not in self.resources:
            raise UnresolvableReference(reference)
        return self.resources[uri]

    def _pointer(self, place: Place, pointer: str, reference: str) -> Place:
        for part in pointer.split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            holder = place.schema
            try:
                child = holder[int(part)] if isinstance(holder, list) else holder[part]
            except (KeyError, IndexError, ValueError, TypeError):
                raise UnresolvableReference(reference) from None
            known = self.places.get(id(child)) if isinstance(child, dict) else None
            place = known or Place(child, place.base, place.draft, place.vocabularies)
        return self.place(place.schema, place)

    def _dialect(
        self, schema: Schema, draft: Draft, vocabularies: set[str] | None
    ) -> tuple[Draft, set[str] | None]:
        uri = schema.get("$schema") if isinstance(schema, dict) else None
        if not isinstance(uri, str):
            return draft, vocabularies
        uri = uri.rstrip("#")
        if uri in BY_URI:
            return BY_URI[uri], None
        meta = self.remotes.get(uri)
        if isinstance(meta, dict):
            inherited, _ = self._dialect(meta, draft, None)
            listed = meta.get("$vocabulary")
            return inherited, {name.rsplit("/", 1)[1] for name in listed} if listed else None
        return draft, vocabularies

    def _index(self, place: Place) -> None:
        schema, draft = place.schema, place.draft
        if not isinstance(schema, dict) or id(schema) in self.places:
            return
        own, base, vocabularies = schema.get(draft.id_keyword), place.base, place.vocabularies
        if draft.ref_hides_siblings and "$ref" in schema:
            own = None
        if isinstance(own, str):
            uri, fragment = urldefrag(join(base, own))
            if uri != base and not (draft.year <= 7 and own.startswith("#")):
                draft, vocabularies = self._dialect(schema, draft, vocabularies)
                base = uri
                self.resources[uri] = Place(schema, uri, draft, vocabularies)
            if fragment and draft.year <= 7:
                self.anchors[base, unquote(fragment)] = Place(schema, base, draft, vocabularies)
        place = Place(schema, base, draft, vocabularies)
        self.places[id(schema)] = place
        if draft.year >= 2019 and isinstance(schema.get("$anchor"), str):
            self.anchors[base, schema["$anchor"]] = place
        if draft.year >= 2020 and isinstance(schema.get("$dynamicAnchor"), str):
            self.anchors[base, schema["$dynamicAnchor"]] = place
            self.dynamic[base, schema["$dynamicAnchor"]] = place
        for child in subschemas(schema, draft):
            self._index(Place(child, base, draft, vocabularies))


def subschemas(schema: dict[str, Any], draft: Draft) -> Iterator[Schema]:
    if draft.ref_hides_siblings and "$ref" in schema:
        # The definitions beside it can still be referred to.
        schema = {key: value for key, value in schema.items() if key == "definitions"}
    for key, shapes in draft.subschemas.items():
        value = schema.get(key)
        if isinstance(value, list) and LIST in shapes:
            yield from value
        elif isinstance(value, dict) and NAMED in shapes:
            yield from value.values()
        elif ONE in shapes and isinstance(value, dict | bool):
            yield value


def draft_of(schema: Schema, default: str = "2020-12") -> Draft:
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    return BY_URI.get(uri.rstrip("#") if isinstance(uri, str) else "", DRAFTS[default])
