package io.frameloom.benchmarks.report;

import io.frameloom.benchmarks.driver.Row;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.style.AxesChartStyler;

/**
 * Where nanoseconds lie on the vertical axis: logarithmically where they span a factor of more than thirty. The
 * library's own logarithmic axis draws error bars at the wrong place, so decades are drawn on a linear one.
 *
 * @param logarithmic whether positions are decades
 * @param lowest nanoseconds at the foot of the axis
 * @param highest nanoseconds at its top
 */
record Scale(boolean logarithmic, double lowest, double highest) {
    private static final double LOGARITHMIC_FROM = 30;
    private static final double ROOM_ABOVE = 1.1;
    private static final double WHOLE = 1e-6;

    /** The scale on which all the rows can be seen, with their errors above. */
    static Scale of(List<Row> rows) {
        double least = rows.stream()
                .mapToDouble(Row::nsPerTask)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(1);
        double most = rows.stream().mapToDouble(Row::nsPerTask).max().orElse(1);
        double highest = rows.stream()
                .mapToDouble(row -> row.nsPerTask() + row.error())
                .max()
                .orElse(1);
        if (most <= least * LOGARITHMIC_FROM) {
            return new Scale(false, 0, highest > 0 ? highest * ROOM_ABOVE : 1);
        }
        return new Scale(
                true, Math.pow(10, Math.floor(Math.log10(least))), Math.pow(10, Math.ceil(Math.log10(highest))));
    }

    /** The height of a time above the foot of the axis. */
    double position(double nanos) {
        return logarithmic ? Math.log10(Math.max(nanos, lowest) / lowest) : nanos;
    }

    /** The length of the error bar, up and down. On decades it is a factor: one plus the relative error. */
    double error(Row row) {
        double nanos = row.nsPerTask();
        if (!logarithmic) {
            return row.error();
        }
        return nanos < lowest ? 0 : Math.log10((nanos + row.error()) / nanos);
    }

    /** What a whisker means: on decades it is as long downwards as upwards, so it is a factor. */
    String whiskers() {
        return logarithmic
                ? "whiskers: median \u00d7 and \u00f7 (1 + error/median)"
                : "whiskers: median \u00b1 error, not below 0";
    }

    void applyTo(AxesChartStyler styler) {
        styler.setYAxisMin(0.0);
        styler.setYAxisMax(position(highest));
        if (logarithmic) {
            styler.setyAxisTickLabelsFormattingFunction(this::decade);
        } else {
            styler.setYAxisDecimalPattern("#,##0.###");
        }
    }

    /** Only whole decades are labelled. */
    private String decade(double position) {
        double nanos = lowest * Math.pow(10, Math.rint(position));
        if (Math.abs(position - Math.rint(position)) > WHOLE) {
            return " ";
        }
        return nanos >= 1 ? String.format(Locale.ROOT, "%,.0f", nanos) : Double.toString(nanos);
    }
}
