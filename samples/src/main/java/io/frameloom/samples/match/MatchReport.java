package io.frameloom.samples.match;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a run has found in all files, as text or JSON. One thread. */
final class MatchReport {
    /** The first mismatch of a file. */
    private record Finding(Path path, LineColumn place, Mismatch mismatch, long mismatches) {}

    private final List<Finding> findings = new ArrayList<>();
    private long files;
    private long bytes;
    private long brackets;
    private long mismatches;
    private long maximumDepth;
    private @Nullable Path deepest;

    /** Adds a file; looks the place of its first mismatch up. */
    void add(Path path, MatchResult result) throws IOException {
        Mismatch first = result.first();
        if (first != null) {
            findings.add(new Finding(path, LineColumn.of(path, first.offset()), first, result.mismatches()));
        }
        files++;
        bytes += result.bytes();
        brackets += result.brackets();
        mismatches += result.mismatches();
        if (result.maximumDepth() > maximumDepth) {
            maximumDepth = result.maximumDepth();
            deepest = path;
        }
    }

    boolean hasMismatches() {
        return !findings.isEmpty();
    }

    void print(PrintWriter out, String device, long nanos, long deviceNanos) {
        for (Finding finding : findings) {
            long more = finding.mismatches() - 1;
            out.println(printable(finding.path()) + ":" + finding.place() + ": "
                    + finding.mismatch().words() + (more == 0 ? "" : ", and " + more + " more"));
        }
        out.println(brackets + " brackets in " + files + " files of " + bytes + " bytes, maximum depth " + maximumDepth
                + (deepest == null ? "" : " in " + printable(deepest)));
        out.println(
                findings.isEmpty()
                        ? files == 0 ? "nothing was matched" : "all match"
                        : mismatches + " mismatches in " + findings.size() + " files, the first at "
                                + printable(findings.get(0).path()) + ":"
                                + findings.get(0).place());
        out.printf(
                Locale.ROOT,
                "%.3f s, %.0f brackets/s, %.0f bytes/s; the device took %.3f s (%s)%n",
                nanos * 1e-9,
                perSecond(brackets, nanos),
                perSecond(bytes, nanos),
                deviceNanos * 1e-9,
                device);
    }

    void printJson(PrintWriter out, String device, long nanos, long deviceNanos, List<FileList.Skipped> skipped)
            throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(line)) {
            json.writeStartObject();
            json.writeNumberField("files", files);
            json.writeNumberField("bytes", bytes);
            json.writeNumberField("brackets", brackets);
            json.writeNumberField("maximumDepth", maximumDepth);
            json.writeNumberField("mismatches", mismatches);
            json.writeArrayFieldStart("firstMismatches");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringField("file", finding.path().toString());
                json.writeNumberField("line", finding.place().line());
                json.writeNumberField("column", finding.place().column());
                json.writeNumberField("offset", finding.mismatch().offset());
                json.writeStringField("what", finding.mismatch().words());
                json.writeNumberField("mismatches", finding.mismatches());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("skipped");
            for (FileList.Skipped skip : skipped) {
                json.writeStartObject();
                json.writeStringField("file", skip.path().toString());
                json.writeStringField("reason", skip.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("device", device);
            json.writeNumberField("seconds", nanos * 1e-9);
            json.writeNumberField("deviceSeconds", deviceNanos * 1e-9);
            json.writeNumberField("bracketsPerSecond", Math.round(perSecond(brackets, nanos)));
            json.writeNumberField("bytesPerSecond", Math.round(perSecond(bytes, nanos)));
            json.writeEndObject();
        }
        out.println(line);
    }

    private static double perSecond(long count, long nanos) {
        return count / Math.max(1e-9, nanos * 1e-9);
    }

    /** What a file is called must not steer a terminal. */
    static String printable(Path path) {
        return path.toString().replaceAll("\\p{Cntrl}", "?");
    }
}
