package io.frameloom.gpu.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.virtual.SurfaceFault;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceSelectorTest {
    @Test
    void everySettingOfTheVirtualDevice() {
        assertThat(DeviceSelector.parse("virtual:queues=3,seed=7,order=in-order,clobber=off,cost=50,lose=4,oom=9"))
                .isEqualTo(new DeviceSelector.Virtual(new VirtualGpuOptions(3, 7)
                        .withOrder(VirtualGpuOptions.Order.IN_ORDER)
                        .withClobber(false)
                        .withCostPercent(50)
                        .withLossAt(4)
                        .withOutOfMemoryAt(9)));
        assertThat(DeviceSelector.parse("virtual:order=reverse"))
                .isEqualTo(new DeviceSelector.Virtual(
                        new VirtualGpuOptions(2, 1).withOrder(VirtualGpuOptions.Order.REVERSE)));
        assertThat(DeviceSelector.parse("virtual:surface=lost:3")).isEqualTo(fault(SwapchainStatus.SURFACE_LOST, 3));
        assertThat(DeviceSelector.parse("virtual:surface=out-of-date:1"))
                .isEqualTo(fault(SwapchainStatus.OUT_OF_DATE, 1));
        assertThat(DeviceSelector.parse("virtual:surface=suboptimal:2"))
                .isEqualTo(fault(SwapchainStatus.SUBOPTIMAL, 2));
        assertThat(DeviceSelector.parse("virtual")).isEqualTo(DeviceSelector.Virtual.DEFAULT);
        assertThat(DeviceSelector.parse("virtual:clobber=on,order=random")).isEqualTo(DeviceSelector.Virtual.DEFAULT);
        assertThat(DeviceSelector.parse("virtual:lazy=on"))
                .isEqualTo(new DeviceSelector.Virtual(
                        DeviceSelector.Virtual.DEFAULT.options().withLazyMemory(true)));
    }

    @Test
    void autoMayBeKeptFromTheVirtualDevice() {
        assertThat(DeviceSelector.parse("auto")).isEqualTo(new DeviceSelector.Auto());
        assertThat(DeviceSelector.parse("auto:orFail"))
                .isEqualTo(new DeviceSelector.Auto().orFail())
                .isNotEqualTo(new DeviceSelector.Auto());
    }

    @Test
    void queuesOfTheVirtualDeviceByKind() {
        assertThat(DeviceSelector.parse("virtual:queues=16+8+2"))
                .isEqualTo(
                        new DeviceSelector.Virtual(new VirtualGpuOptions(2, 1).withQueues(new QueueCounts(16, 8, 2))));
        assertThat(DeviceSelector.parse("virtual:queues=1+3+1")).isEqualTo(DeviceSelector.parse("virtual:queues=5"));
        assertThat(DeviceSelector.parse("virtual:queues=1+0+0")).isEqualTo(DeviceSelector.parse("virtual:queues=1"));
    }

    private static DeviceSelector fault(SwapchainStatus status, long presentation) {
        return new DeviceSelector.Virtual(
                new VirtualGpuOptions(2, 1).withSurfaceFault(new SurfaceFault(status, presentation)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "auto:orfail|device 'auto:orfail' is none; use auto, or auto:orFail to fail",
                "virtual:queues=9|1 to 8 queues, got 9",
                "virtual:queues=many|'queues' of the virtual device is a number or GRAPHICS+COMPUTE+COPY as in 16+8+2, got 'many'",
                "virtual:queues=1+x+1|'queues' of the virtual device is a number or GRAPHICS+COMPUTE+COPY",
                "virtual:queues=1+1|'queues' of the virtual device is a number or GRAPHICS+COMPUTE+COPY as in 16+8+2",
                "virtual:queues=0+1+1|1 to 64 graphics queues",
                "virtual:queues=40+20+5|at most 64 queues, got 40+20+5",
                "virtual:colour=1|unknown setting 'colour' of the virtual device; known are queues, seed, order",
                "virtual:|unknown setting ''",
                "virtual:seed=1,seed=2|'seed' of the virtual device is given twice",
                "virtual:order=worst|'order' of the virtual device is random, in-order or reverse, got 'worst'",
                "virtual:clobber=yes|'clobber' of the virtual device is on or off, got 'yes'",
                "virtual:cost=-1|0 to 100000 percent, got -1",
                "virtual:lose=-1|counted from 1",
                "virtual:surface=gone:1|'surface' of the virtual device is lost:N, out-of-date:N or suboptimal:N, got",
                "virtual:surface=lost|'surface' of the virtual device is lost:N",
                "virtual:surface=lost:x|'surface' of the virtual device needs a whole number",
                "virtual:surface=lost:0|presentations are counted from 1, got 0",
                "virtual:oom=x|'oom' of the virtual device needs a whole number, got 'x'",
            })
    void whatIsWrongIsNamed(String text, String words) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }
}
