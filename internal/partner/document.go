package partner

import (
	"context"
	"net/url"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Documents lists the documents of an application that can be downloaded. The value is nil
// when the lender sent null for the list.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/list (4.17)
func (c *Client) Documents(ctx context.Context, app heloc.AppID) (Result[[]heloc.Document], error) {
	q := callTo("document-list").of(app)
	return ask(ctx, c, q, func(got *reply) ([]heloc.Document, error) {
		keepIDs(unwrapData(got.tree), "documents[].documentUuid") // it becomes part of URLs
		list, ok := got.list("documents")
		if !ok {
			return nil, q.noResource(got)
		}
		return decode[[]heloc.Document](list), nil
	})
}

// Document streams one document of the list. A response of another type than the list declares is a failure. The
// caller closes the body.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/download/{documentUuid} (4.18)
func (c *Client) Document(ctx context.Context, app heloc.AppID, document heloc.Document) (*Download, error) {
	call := callTo("document").of(app)
	call.path = strings.Replace(call.path, "{documentUuid}", url.PathEscape(document.UUID), 1)
	if document.UUID == "" || document.UUID == "." || document.UUID == ".." {
		call.invalid = fault.New(fault.NotFound, "This document doesn’t exist.")
	}
	return c.download(ctx, call, document.ContentType)
}

// DocumentsZip streams all documents of an application as one zip file. The caller
// closes the body.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/download (4.19)
func (c *Client) DocumentsZip(ctx context.Context, app heloc.AppID) (*Download, error) {
	return c.download(ctx, callTo("documents-zip").of(app), "application/zip")
}

func (c *Client) download(ctx context.Context, call call, contentType string) (*Download, error) {
	end, err := c.downloads.begin(CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	got, err := c.do(ctx, call)
	if err != nil {
		end()
		return nil, err
	}
	got.download.Body = limitedBody{got.download.Body, end}
	if wrong := got.download.checkType(contentType); wrong != nil {
		_ = got.download.Body.Close()
		return nil, got.download.notFile(wrong)
	}
	return got.download, nil
}
