//! Parquet: plain columns, each of which may have nothing in a row.

use super::{Batch, Sink, Values};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;
use terminal::Printable;

/// Rows are kept until there are so many, for groups of few are read slowly.
const GROUP_ROWS: usize = 1 << 17;

/// A Parquet file that is being written.
pub struct ParquetSink<W: Write + Send> {
    to: Option<W>,
    writer: Option<SerializedFileWriter<W>>,
    kept: Option<Batch>,
}

impl<W: Write + Send> ParquetSink<W> {
    /// Over something that takes bytes.
    pub fn new(to: W) -> Self {
        Self { to: Some(to), writer: None, kept: None }
    }

    fn write_kept(&mut self) -> Result<(), ParquetError> {
        let Some(batch) = self.kept.take() else { return Ok(()) };
        if let Some(to) = self.to.take() {
            let properties =
                WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            self.writer = Some(SerializedFileWriter::new(
                to,
                Arc::new(schema(&batch)?),
                Arc::new(properties),
            )?);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut group = writer.next_row_group()?;
        for column in &batch.columns {
            match &column.values {
                Values::Text(values) => {
                    let bytes = |text: &Printable| ByteArray::from(text.as_bytes().to_vec());
                    write::<W, ByteArrayType, _>(&mut group, values, bytes)?;
                }
                Values::Int(values) => {
                    write::<W, Int64Type, _>(&mut group, values, |value| *value)?
                }
                Values::Float(values) => {
                    write::<W, DoubleType, _>(&mut group, values, |value| *value)?
                }
            }
        }
        group.close().map(drop)
    }
}

impl<W: Write + Send> Sink for ParquetSink<W> {
    fn add(&mut self, batch: Batch) -> io::Result<()> {
        match &mut self.kept {
            Some(kept) => kept.append(batch),
            None => self.kept = Some(batch),
        }
        let is_full = self.kept.as_ref().is_some_and(|kept| kept.rows() >= GROUP_ROWS);
        if is_full { self.write_kept().map_err(of_system) } else { Ok(()) }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.write_kept().map_err(of_system)?;
        match self.writer.take() {
            Some(mut writer) => writer.finish().map(drop).map_err(of_system),
            None => Ok(()),
        }
    }
}

/// The operating system's error if there is one, because callers check its kind.
fn of_system(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

fn schema(batch: &Batch) -> Result<Type, ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = batch
        .columns
        .iter()
        .map(|column| {
            let (physical, converted) = match column.values {
                Values::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
                Values::Int(_) => (Physical::INT64, ConvertedType::NONE),
                Values::Float(_) => (Physical::DOUBLE, ConvertedType::NONE),
            };
            let field = Type::primitive_type_builder(column.name, physical)
                .with_converted_type(converted)
                .with_repetition(Repetition::OPTIONAL);
            field.build().map(Arc::new)
        })
        .collect();
    Type::group_type_builder("sizeup").with_fields(fields?).build()
}

/// Writes a column: its values, and which rows have one.
fn write<W: Write + Send, T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Option<V>],
    convert: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let there: Vec<T::T> = values.iter().flatten().map(convert).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}
