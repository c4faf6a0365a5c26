package io.frameloom.gpu.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.virtual.VirtualGpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceSelectorTest {
    @Test
    void everySettingOfTheVirtualDevice() {
        assertThat(DeviceSelector.parse("virtual:queues=3,seed=7,order=in-order,clobber=off,cost=50,lose=4,oom=9"))
                .isEqualTo(new DeviceSelector.Virtual(
                        new VirtualGpuOptions(3, 7, VirtualGpuOptions.Order.IN_ORDER, false, 50, 4, 9)));
        assertThat(DeviceSelector.parse("virtual:order=reverse"))
                .isEqualTo(new DeviceSelector.Virtual(
                        new VirtualGpuOptions(2, 1).withOrder(VirtualGpuOptions.Order.REVERSE)));
        assertThat(DeviceSelector.parse("virtual")).isEqualTo(DeviceSelector.Virtual.DEFAULT);
        assertThat(DeviceSelector.parse("virtual:clobber=on,order=random")).isEqualTo(DeviceSelector.Virtual.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "virtual:queues=9|1 to 8 queues, got 9",
                "virtual:queues=many|'queues' of the virtual device needs a whole number, got 'many'",
                "virtual:colour=1|unknown setting 'colour' of the virtual device; known are queues, seed, order",
                "virtual:|unknown setting ''",
                "virtual:seed=1,seed=2|'seed' of the virtual device is given twice",
                "virtual:order=worst|'order' of the virtual device is random, in-order or reverse, got 'worst'",
                "virtual:clobber=yes|'clobber' of the virtual device is on or off, got 'yes'",
                "virtual:cost=-1|0 to 100000 percent, got -1",
                "virtual:lose=-1|counted from 1",
                "virtual:oom=x|'oom' of the virtual device needs a whole number, got 'x'",
            })
    void whatIsWrongIsNamed(String text, String words) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }
}
