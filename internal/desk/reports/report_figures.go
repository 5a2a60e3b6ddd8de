package reports

import (
	"context"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// The report of figures lists so many differences on a page, and in a file.
const (
	FiguresOnPage = 100
	figuresInFile = 10_000
)

// BookedOtherwise is a selection for which the lender booked figures that differ from what the borrower was shown.
type BookedOtherwise = store.BookedOtherwise

// FigureReport compares what borrowers of the company were shown at selections with what the lender booked.
type FigureReport struct {
	Counts      []lead.FigureCounts
	Differences []BookedOtherwise // newest first
	More        bool              // there are more differences
}

// Figures reads the comparisons of the company.
func (r *Reports) Figures(ctx context.Context) (FigureReport, error) {
	return r.figures(ctx, FiguresOnPage)
}

func (r *Reports) figures(ctx context.Context, limit int) (FigureReport, error) {
	if err := r.d.May(access.SeeTeam); err != nil {
		return FigureReport{}, err
	}
	ctx, end, err := r.d.Store.Snapshot(ctx)
	if err != nil {
		return FigureReport{}, err
	}
	defer end()
	counts, err := r.d.Store.FigureCounts(ctx, r.d.Company())
	if err != nil {
		return FigureReport{}, err
	}
	var report FigureReport
	if report.Counts, err = r.d.FigureCounts(ctx, counts); err != nil {
		return FigureReport{}, err
	}
	if report.Differences, err = r.d.Store.BookedOtherwise(ctx, r.d.Company(), limit+1); err != nil {
		return FigureReport{}, err
	}
	if report.More = len(report.Differences) > limit; report.More {
		report.Differences = report.Differences[:limit]
	}
	return report, nil
}

// ExportFigures reads the comparisons for a file and logs that.
func (r *Reports) ExportFigures(ctx context.Context) (FigureReport, error) {
	if err := r.d.May(access.ExportPipeline); err != nil {
		return FigureReport{}, err
	}
	report, err := r.figures(ctx, figuresInFile)
	if err != nil {
		return report, err
	}
	return report, r.recordExport(ctx, "report:figures leads:"+strconv.Itoa(len(report.Differences)))
}
