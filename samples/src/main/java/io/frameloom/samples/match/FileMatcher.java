package io.frameloom.samples.match;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Matches the brackets of one file after the other, window by window. What is open at the end of a window is carried to
 * the next one. One thread.
 */
final class FileMatcher {
    private final WindowMatching windows;

    FileMatcher(WindowMatching windows) {
        this.windows = windows;
    }

    /**
     * Matches a file.
     *
     * @param progress receives the bytes of each window
     * @throws IOException if it cannot be read to its end
     */
    MatchResult match(Path file, LongConsumer progress) throws IOException {
        Matching matching = new Matching();
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            int read = fill(channel);
            while (read > 0) {
                matching.add(windows.match(read), read);
                progress.accept(read);
                read = fill(channel);
            }
        }
        return matching.result();
    }

    private int fill(SeekableByteChannel channel) throws IOException {
        ByteBuffer window = windows.window();
        while (window.hasRemaining()) {
            if (channel.read(window) < 0) {
                break;
            }
        }
        return window.position();
    }

    /** The file so far. */
    private static final class Matching {
        private final OpenStack open = new OpenStack();
        private long bytes;
        private long brackets;
        private long maximumDepth;
        private long mismatches;
        private @Nullable Mismatch first;

        void add(WindowResult window, int windowBytes) {
            if (window.brackets() > 0) {
                brackets += window.brackets();
                maximumDepth = Math.max(maximumDepth, Math.max(open.size() + window.rise(), window.top()));
                @Nullable Mismatch found = null;
                if (window.wrong() > 0) {
                    mismatches += window.wrong();
                    found = wrong(window.wrongClose(), Bracket.character(window.wrongOpen()));
                }
                for (int bracket : window.alone()) {
                    found = earlier(found, outside(bracket));
                }
                first = first == null ? found : first;
            }
            bytes += windowBytes;
        }

        private Mismatch wrong(int close, char meets) {
            return new Mismatch(bytes + Bracket.place(close), Bracket.character(close), meets);
        }

        /** Matches a bracket without partner in its window with what is open from those before. */
        private @Nullable Mismatch outside(int bracket) {
            if (Bracket.opens(bracket)) {
                open.push(Bracket.kind(bracket), bytes + Bracket.place(bracket));
                return null;
            }
            int kind = open.pop();
            if (kind == Bracket.kind(bracket)) {
                return null;
            }
            mismatches++;
            return kind < 0
                    ? Mismatch.closesNothing(bytes + Bracket.place(bracket), Bracket.character(bracket))
                    : wrong(bracket, Bracket.opening(kind));
        }

        private static @Nullable Mismatch earlier(@Nullable Mismatch a, @Nullable Mismatch b) {
            if (a == null || b == null) {
                return a == null ? b : a;
            }
            return a.offset() <= b.offset() ? a : b;
        }

        MatchResult result() {
            if (open.size() > 0) {
                mismatches += open.size();
                first = first == null ? Mismatch.neverClosed(open.bottom(), Bracket.opening(open.bottomKind())) : first;
            }
            return new MatchResult(bytes, brackets, maximumDepth, mismatches, first);
        }
    }
}
