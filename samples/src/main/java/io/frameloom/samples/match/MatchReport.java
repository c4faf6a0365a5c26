package io.frameloom.samples.match;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.IoReasons;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a run has found in all files, as text or JSON. One thread. */
final class MatchReport {
    /**
     * The first mismatch of a file.
     *
     * @param place where it is, or null if the file could not be read again
     * @param unread why not, or empty
     */
    private record Finding(Path path, @Nullable LineColumn place, String unread, Mismatch mismatch, long mismatches) {
        static Finding of(Path path, Mismatch mismatch, long mismatches) {
            try {
                return new Finding(path, LineColumn.of(path, mismatch.offset()), "", mismatch, mismatches);
            } catch (IOException e) {
                return new Finding(path, null, IoReasons.of(e), mismatch, mismatches);
            }
        }

        String where() {
            return path + ":" + (place == null ? "byte " + mismatch.offset() : place);
        }
    }

    private final List<Finding> findings = new ArrayList<>();
    private long files;
    private long bytes;
    private long brackets;
    private long mismatches;
    private long maximumDepth;
    private @Nullable Path deepest;

    /** Adds a file; looks the line of its first mismatch up, if it can still be read. */
    void add(Path path, MatchResult result) {
        Mismatch first = result.first();
        if (first != null) {
            findings.add(Finding.of(path, first, result.mismatches()));
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

    /** Returns how many files were read to their end. */
    long files() {
        return files;
    }

    boolean hasMismatches() {
        return !findings.isEmpty();
    }

    /** @param skipped how much could not be read */
    void print(PrintWriter out, MatchWork work, int skipped) {
        for (Finding finding : findings) {
            long more = finding.mismatches() - 1;
            print(
                    out,
                    finding.where() + ": " + finding.mismatch().words() + (more == 0 ? "" : ", and " + more + " more")
                            + (finding.place() == null ? "; its line is not known: " + finding.unread() : ""));
        }
        print(
                out,
                Plural.of(brackets, "bracket") + " in " + Plural.of(files, "file") + " of "
                        + Plural.of(bytes, "byte") + ", maximum depth " + maximumDepth
                        + (deepest == null ? "" : " in " + deepest));
        print(
                out,
                findings.isEmpty()
                        ? files == 0 ? nothing(skipped) : "all match"
                        : Plural.of(mismatches, "mismatch") + " in " + Plural.of(findings.size(), "file")
                                + ", the first at " + findings.get(0).where());
        if (work.device() != null) {
            out.printf(
                    Locale.ROOT,
                    "%.3f s, %.0f brackets/s, %.0f bytes/s; the device took %.3f s (%s)%n",
                    work.nanos() * 1e-9,
                    perSecond(brackets, work.nanos()),
                    perSecond(bytes, work.nanos()),
                    work.deviceNanos() * 1e-9,
                    work.device());
        }
    }

    private static String nothing(int skipped) {
        return skipped == 0 ? "there is nothing to match" : "nothing was matched: nothing could be read";
    }

    void printJson(PrintWriter out, MatchWork work, FileList list) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(line)) {
            json.writeStartObject();
            json.writeNumberField("files", files);
            json.writeNumberField("bytes", bytes);
            json.writeNumberField("brackets", brackets);
            json.writeNumberField("maximumDepth", maximumDepth);
            if (deepest == null) {
                json.writeNullField("deepest");
            } else {
                writeName(json, "deepest", deepest);
            }
            json.writeNumberField("mismatches", mismatches);
            json.writeArrayFieldStart("firstMismatches");
            for (Finding finding : findings) {
                json.writeStartObject();
                writeName(json, "file", finding.path());
                @Nullable LineColumn place = finding.place();
                if (place == null) {
                    json.writeStringField("placeUnknown", finding.unread());
                } else {
                    json.writeNumberField("line", place.line());
                    json.writeNumberField("column", place.column());
                }
                json.writeNumberField("offset", finding.mismatch().offset());
                json.writeStringField("what", finding.mismatch().words());
                json.writeNumberField("mismatches", finding.mismatches());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("skipped");
            for (FileList.Skipped skip : list.skipped()) {
                json.writeStartObject();
                writeName(json, "file", skip.path());
                json.writeStringField("reason", skip.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("missing");
            for (Path missing : list.missing()) {
                json.writeString(missing.toString());
            }
            json.writeEndArray();
            json.writeStringField("device", work.device());
            json.writeNumberField("seconds", work.nanos() * 1e-9);
            json.writeNumberField("deviceSeconds", work.deviceNanos() * 1e-9);
            json.writeNumberField("bracketsPerSecond", Math.round(perSecond(brackets, work.nanos())));
            json.writeNumberField("bytesPerSecond", Math.round(perSecond(bytes, work.nanos())));
            json.writeEndObject();
        }
        print(out, line.toString());
    }

    /** Writes the name of a file; where that is no text in the encoding of names, its URI, too, which has all bytes. */
    private static void writeName(JsonGenerator json, String key, Path file) throws IOException {
        json.writeStringField(key, file.toString());
        if (!isText(file)) {
            json.writeStringField(key + "Uri", file.toUri().toString());
        }
    }

    private static boolean isText(Path file) {
        try {
            return Path.of(file.toString()).equals(file);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** What a file is called must not steer a terminal; the escapes are those of JSON, too. */
    private static void print(PrintWriter out, String line) {
        out.println(PrintableText.of(line));
    }

    private static double perSecond(long count, long nanos) {
        return count / Math.max(1e-9, nanos * 1e-9);
    }
}
