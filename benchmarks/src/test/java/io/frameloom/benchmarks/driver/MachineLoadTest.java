package io.frameloom.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineLoadTest {
    @Test
    void aBusyMachineIsTold() {
        assertThat(new MachineLoad(3.5, 2).words(true))
                .isEqualTo("load average 3.50 on 2 processors; other programs are at work, so the figures mean little;"
                        + " --quick is a first look, no figures to publish");
        assertThat(new MachineLoad(3.5, 2).words(false)).endsWith("mean little");
    }

    @Test
    void anIdleOneIsNot() {
        assertThat(new MachineLoad(0.1, 2).words(true))
                .isEqualTo("load average 0.10 on 2 processors; --quick is a first look, no figures to publish");
        assertThat(new MachineLoad(0.1, 2).busy()).isFalse();
    }

    @Test
    void aSystemThatDoesNotSayIsTakenForIdle() {
        assertThat(new MachineLoad(-1, 2).busy()).isFalse();
        assertThat(new MachineLoad(-1, 2).words(true)).isEqualTo("--quick is a first look, no figures to publish");
    }
}
