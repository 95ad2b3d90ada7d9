//! Mask words to and from Python memory: any writable buffer of 32-bit integers.
//!
//! Everything is checked before the engine is called, so that a refused buffer is neither written
//! nor costs a step. The words are copied while the interpreter's lock is held, because the
//! safe view of a buffer is bound to it.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use stackmask::ReadyMask;
use std::cell::{Cell, RefCell};

/// A checked bitmask: `rows` rows of `width` words.
pub(crate) struct Bitmask {
    buffer: Words,
    rows: usize,
    width: usize,
}

/// Both integer types mean the same bits.
enum Words {
    Signed(PyBuffer<i32>),
    Unsigned(PyBuffer<u32>),
}

fn refuse<T>(text: String) -> PyResult<T> {
    Err(PyValueError::new_err(text))
}

/// The numpy array that shares the memory of a tensor on the CPU. Tensors of torch have no buffer protocol: they
/// have `numpy()`, and others DLPack.
pub(crate) fn array_of<'py>(tensor: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = tensor.py();
    if !tensor.hasattr(intern!(py, "__dlpack__"))? {
        return Ok(None);
    }
    if let Ok(array) = tensor.call_method0(intern!(py, "numpy")) {
        return Ok(Some(array));
    }
    static FROM_DLPACK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array =
        FROM_DLPACK.import(py, "numpy", "from_dlpack")?.call1((tensor,)).map_err(|error| {
            PyValueError::new_err(format!("bitmask must be in the memory of the CPU: {error}"))
        })?;
    Ok(Some(array))
}

impl Words {
    fn get(bitmask: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Self::view(bitmask) {
            Err(error) => match array_of(bitmask)? {
                Some(array) => Self::view(&array),
                None => Err(error),
            },
            words => words,
        }
    }

    fn view(bitmask: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(buffer) = PyBuffer::get(bitmask) {
            return Ok(Self::Signed(buffer));
        }
        if let Ok(buffer) = PyBuffer::get(bitmask) {
            return Ok(Self::Unsigned(buffer));
        }
        match bitmask.getattr("dtype") {
            Ok(dtype) => {
                let shape = bitmask.getattr("shape")?;
                refuse(format!("bitmask must be an int32 array, not {dtype} of shape {shape}"))
            }
            Err(_) => {
                let kind = bitmask.get_type().name()?;
                refuse(format!("bitmask must be an int32 array, not {kind}"))
            }
        }
    }
}

/// Copies `words` and zeroes what is left of `cells`.
fn copy<T: Copy + Default>(cells: &[Cell<T>], words: &[u32], cast: impl Fn(u32) -> T) {
    let (head, tail) = cells.split_at(words.len());
    for (cell, &word) in head.iter().zip(words) {
        cell.set(cast(word));
    }
    for cell in tail {
        cell.set(T::default());
    }
}

/// Writes a mask over the first `size` bits of `cells` and zeroes what is left; whether any of these bits is 0.
fn write_ready<T: Copy + Default + PartialEq>(
    cells: &[Cell<T>],
    mask: &ReadyMask<'_>,
    size: usize,
    cast: impl Fn(u32) -> T,
    with: impl Fn(T, u32) -> T,
) -> bool {
    copy(cells, mask.words().unwrap_or(&[]), &cast);
    for token in mask.tokens() {
        let cell = &cells[token as usize / 32];
        cell.set(with(cell.get(), 1 << (token % 32)));
    }
    let (whole, left) = (size / 32, size % 32);
    let full = cells[..whole].iter().all(|cell| cell.get() == cast(u32::MAX));
    !(full && (left == 0 || cells[whole].get() == cast((1 << left) - 1)))
}

impl Bitmask {
    /// Checks `bitmask` for rows of at least `words` words.
    pub(crate) fn new(bitmask: &Bound<'_, PyAny>, words: usize) -> PyResult<Self> {
        let buffer = Words::get(bitmask)?;
        let this = match &buffer {
            Words::Signed(view) => Self::shape(view, words)?,
            Words::Unsigned(view) => Self::shape(view, words)?,
        };
        Ok(Self { buffer, rows: this.0, width: this.1 })
    }

    fn shape<T: pyo3::buffer::Element>(
        view: &PyBuffer<T>,
        words: usize,
    ) -> PyResult<(usize, usize)> {
        let (rows, width) = match *view.shape() {
            [width] => (1, width),
            [rows, width] => (rows, width),
            ref shape => {
                return refuse(format!("bitmask must be 1-D or 2-D, not {}-D", shape.len()));
            }
        };
        // The typed view checks the size and the sign, but takes either order of bytes.
        let foreign = if cfg!(target_endian = "little") { b">!".as_slice() } else { b"<" };
        if view.format().to_bytes().first().is_some_and(|order| foreign.contains(order)) {
            return refuse(format!("bitmask has bytes in foreign order: {:?}", view.format()));
        }
        if view.readonly() {
            return refuse("bitmask is read-only".into());
        }
        if !view.is_c_contiguous() {
            return refuse(format!("bitmask is not C-contiguous: strides {:?}", view.strides()));
        }
        if width < words {
            return refuse(format!("bitmask row has {width} words: {words} are needed"));
        }
        Ok((rows, width))
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Refuses a row that does not exist.
    pub(crate) fn check_row(&self, row: usize) -> PyResult<()> {
        if row < self.rows {
            return Ok(());
        }
        refuse(format!("row {row} is out of range: the bitmask has {} rows", self.rows))
    }

    /// Writes a row that [`Self::check_row`] passed; words beyond the mask become 0.
    pub(crate) fn write(&self, py: Python<'_>, row: usize, words: &[u32]) -> PyResult<()> {
        let range = row * self.width..(row + 1) * self.width;
        let written = match &self.buffer {
            Words::Signed(view) => view
                .as_mut_slice(py)
                .and_then(|cells| cells.get(range))
                .map(|cells| copy(cells, words, |word| word as i32)),
            Words::Unsigned(view) => view
                .as_mut_slice(py)
                .and_then(|cells| cells.get(range))
                .map(|cells| copy(cells, words, |word| word)),
        };
        match written {
            Some(()) => Ok(()),
            None => refuse("bitmask is not writable".into()),
        }
    }
}

impl Bitmask {
    /// Reads a row that [`Self::check_row`] passed into `words`, which are as long.
    pub(crate) fn read(&self, py: Python<'_>, row: usize, words: &mut [u32]) -> PyResult<()> {
        let range = row * self.width..(row + 1) * self.width;
        let read = match &self.buffer {
            Words::Signed(view) => {
                view.as_slice(py).and_then(|cells| cells.get(range)).map(|cells| {
                    words.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.get() as u32);
                })
            }
            Words::Unsigned(view) => {
                view.as_slice(py).and_then(|cells| cells.get(range)).map(|cells| {
                    words.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.get());
                })
            }
        };
        read.map_or_else(|| refuse("bitmask is not readable".into()), Ok)
    }

    /// Writes a ready mask of `size` bits straight into a row that [`Self::check_row`] passed; whether any bit is 0.
    pub(crate) fn write_ready(
        &self,
        py: Python<'_>,
        row: usize,
        mask: &ReadyMask<'_>,
        size: usize,
    ) -> PyResult<bool> {
        let range = row * self.width..(row + 1) * self.width;
        let written = match &self.buffer {
            Words::Signed(view) => {
                let cells = view.as_mut_slice(py).and_then(|cells| cells.get(range));
                let with = |word, bit: u32| word | bit as i32;
                cells.map(|cells| write_ready(cells, mask, size, |word| word as i32, with))
            }
            Words::Unsigned(view) => {
                let cells = view.as_mut_slice(py).and_then(|cells| cells.get(range));
                cells.map(|cells| {
                    write_ready(cells, mask, size, |word| word, |word, bit| word | bit)
                })
            }
        };
        written.map_or_else(|| refuse("bitmask is not writable".into()), Ok)
    }
}

/// Lends `words` zeroed-or-stale words of scratch that the thread keeps, since a page fault each
/// 4 KB would cost more than a mask.
pub(crate) fn with_scratch<R>(words: usize, call: impl FnOnce(&mut [u32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) });
    // Taken out, so that a call from within `call` finds an empty one and not a borrowed one.
    let mut scratch = SCRATCH.take();
    if scratch.len() < words {
        scratch.resize(words, 0);
    }
    let result = call(&mut scratch[..words]);
    SCRATCH.set(scratch);
    result
}

/// A new int32 array of numpy's. numpy is imported here and not with the module, because only
/// two calls need it.
pub(crate) fn int32_array<'py>(py: Python<'py>, words: &[u32]) -> PyResult<Bound<'py, PyAny>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let empty = EMPTY.import(py, "numpy", "empty")?;
    let array = empty.call1((words.len(), "int32"))?;
    if !words.is_empty() {
        Bitmask::new(&array, words.len())?.write(py, 0, words)?;
    }
    Ok(array)
}
