package io.frameloom.samples;

import io.frameloom.gpu.backend.DeviceSelector;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the option {@code --device}. */
public final class DeviceConverter implements ITypeConverter<DeviceSelector> {
    @Override
    public DeviceSelector convert(String value) {
        try {
            return DeviceSelector.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
