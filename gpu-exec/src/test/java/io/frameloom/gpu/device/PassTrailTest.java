package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.error.CrashReport.PassState;
import io.frameloom.gpu.error.CrashReport.Progress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a trail says of passes, by the number of marks that the device has come by. */
@Timeout(60)
class PassTrailTest {
    private final PassTrail trail = new PassTrail();

    private static PassTrail secondary(String... passes) {
        PassTrail executed = new PassTrail();
        executed.begin("secondary", PassTrail.Marks.NONE, 0, 0);
        for (String pass : passes) {
            executed.enter(pass);
            executed.leave();
        }
        executed.end();
        return executed;
    }

    private List<PassState> after(int marks) {
        PassTrail.Reader reader = (list, mark, end) -> PassTrail.Passed.of(mark < marks);
        return Objects.requireNonNull(trail.state(trail.turn(), 0, reader)).passes();
    }

    private static PassState state(String pass, Progress progress) {
        return new PassState(pass, progress);
    }

    /** Passes of executed lists are named, and nothing is said of them that no mark has shown. */
    @Test
    void passesOfExecutedListsAreKnownByTheMarksAroundThem() {
        trail.begin("list", PassTrail.Marks.NONE, 0, 0); // mark 0
        trail.include(secondary("first"));
        trail.enter("outer"); // mark 1
        trail.include(secondary("second", "third"));
        trail.leave(); // mark 2
        trail.include(secondary("last"));
        trail.end(); // mark 3

        assertThat(after(0)).extracting(PassState::progress).containsOnly(Progress.NOT_BEGUN);
        assertThat(after(1))
                .containsExactly(
                        state("first", Progress.UNKNOWN),
                        state("outer", Progress.NOT_BEGUN),
                        state("second", Progress.NOT_BEGUN),
                        state("third", Progress.NOT_BEGUN),
                        state("last", Progress.NOT_BEGUN));
        assertThat(after(2))
                .as("a begin proves nothing of what is before")
                .containsExactly(
                        state("first", Progress.UNKNOWN),
                        state("outer", Progress.BEGUN),
                        state("second", Progress.UNKNOWN),
                        state("third", Progress.UNKNOWN),
                        state("last", Progress.NOT_BEGUN));
        assertThat(after(3))
                .containsExactly(
                        state("first", Progress.UNKNOWN),
                        state("outer", Progress.ENDED),
                        state("second", Progress.ENDED),
                        state("third", Progress.ENDED),
                        state("last", Progress.UNKNOWN));
        assertThat(after(4)).extracting(PassState::progress).containsOnly(Progress.ENDED);
    }
}
