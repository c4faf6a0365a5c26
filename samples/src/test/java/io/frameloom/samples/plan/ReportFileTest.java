package io.frameloom.samples.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportFileTest {
    /** In what takes the place of a pattern a dollar would name a group. */
    @Test
    void aFolderMayHaveADollarInItsName() {
        IOException full = new IOException("/reports$1/.frameloom-1f2e: No space left on device");
        assertThat(ReportFile.refused("/reports$1/frame.html", full))
                .hasMessage("--html /reports$1/frame.html cannot be written: /reports$1: No space left on device");
    }
}
